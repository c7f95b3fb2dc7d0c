// The sounds of a table, computed: steps on gravel, a clip of the shears, the clink of a gem, a card, and a soft bell.
// Each is a list of samples between -1 and 1, the same every time.

export const SOUNDS = ["gravel", "shears", "gem", "card", "bell"] as const;
export type SoundName = (typeof SOUNDS)[number];

/** A tone of a struck thing: its frequency in hertz, how loud it is, and the seconds in which it fades. */
type Partial = readonly [frequency: number, loudness: number, fade: number];

/** Seconds over which a sound ends in silence, whatever it is made of. */
const TAIL = 0.03;
const GEM: Partial[] = [
  [2093, 1, 0.1],
  [3520, 0.6, 0.07],
  [5274, 0.45, 0.05],
  [7459, 0.25, 0.03],
];
const BELL: Partial[] = [
  [523.3, 1, 0.42],
  [1046.5, 0.45, 0.3],
  [1256, 0.22, 0.22],
  [1570, 0.2, 0.16],
  [2355, 0.1, 0.1],
];
const STEEL: Partial[] = [
  [3150, 1, 0.018],
  [4730, 0.8, 0.014],
  [6300, 0.5, 0.01],
];

/** How long each sound is, in seconds, how loud its loudest sample, and its shape over time. */
const MADE: Record<SoundName, { seconds: number; peak: number; at: (time: number, noise: Noise) => number }> = {
  gravel: {
    seconds: 0.42,
    peak: 0.32,
    at: (time, noise) => sum([0, 0.13, 0.27], (start) => step(time - start, noise)),
  },
  shears: { seconds: 0.26, peak: 0.3, at: (time, noise) => snip(time, noise) + 0.8 * snip(time - 0.11, noise) },
  gem: { seconds: 0.5, peak: 0.32, at: (time) => struck(time, GEM) + 0.5 * struck(time - 0.075, GEM) },
  card: { seconds: 0.22, peak: 0.3, at: (time, noise) => swish(time, noise) + tap(time - 0.12, noise) },
  bell: { seconds: 1.5, peak: 0.28, at: (time) => struck(time, BELL) * Math.min(1, time / 0.008) },
};

/** Samples that are computed without a pause, which takes some milliseconds on a slow phone. */
const AT_ONCE = 4000;

/** Compute a sound at a rate of samples a second, with pauses in which the page answers. */
export async function synthesise(name: SoundName, rate: number): Promise<Float32Array<ArrayBuffer>> {
  const { seconds, peak, at } = MADE[name];
  const samples = new Float32Array(Math.round(seconds * rate));
  const noise = new Noise();
  for (let i = 0; i < samples.length; i++) {
    if (i % AT_ONCE === AT_ONCE - 1) await new Promise((go) => setTimeout(go));
    noise.next();
    const left = (samples.length - 1 - i) / rate;
    samples[i] = at(i / rate, noise) * Math.min(1, left / TAIL);
  }
  const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return samples.map((sample) => (sample * peak) / loudest);
}

/** Hiss, rough and smooth, of the same numbers every time. */
class Noise {
  #seed = 22695477;
  rough = 0;
  /** Low in pitch. */
  smooth = 0;

  next(): void {
    this.#seed = (Math.imul(this.#seed, 1664525) + 1013904223) | 0;
    const now = this.#seed / 2 ** 31;
    this.smooth += (now - this.smooth) * 0.18;
    this.rough = now - this.smooth;
  }
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

/** Rise and fall, in seconds. */
function swell(time: number, rise: number, fall: number): number {
  if (time < 0) return 0;
  return Math.min(1, time / rise) * Math.exp(-time / fall);
}

function struck(time: number, partials: readonly Partial[]): number {
  if (time < 0) return 0;
  return sum(
    partials,
    ([frequency, loud, fade]) => loud * Math.exp(-time / fade) * Math.sin(2 * Math.PI * frequency * time),
  );
}

/** Pebbles that give way: hiss with a grain in it. */
function step(time: number, { rough, smooth }: Noise): number {
  return swell(time, 0.012, 0.045) * (smooth * 1.6 + (Math.abs(rough) > 0.62 ? rough : 0));
}

/** Two blades that pass each other, and meet. */
function snip(time: number, { rough }: Noise): number {
  return 0.35 * swell(time, 0.02, 0.02) * rough + struck(time - 0.045, STEEL);
}

function swish(time: number, { rough, smooth }: Noise): number {
  return 0.7 * swell(time, 0.07, 0.04) * (0.4 * rough + smooth);
}

function tap(time: number, { smooth }: Noise): number {
  return swell(time, 0.002, 0.014) * (1.4 * smooth + 0.8 * Math.sin(2 * Math.PI * 190 * time));
}
