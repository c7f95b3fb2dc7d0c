// Whether the table is heard, remembered; and playing its sounds. They are computed when they are first played.

import { device } from "../../shell/store";
import type { SoundName } from "./synthesis";

const STORED = "bosquet.sound";
const LOUDNESS = 0.7;

class Sound {
  #on = $state(wanted());
  #context: AudioContext | undefined;
  #made = new Map<SoundName, AudioBuffer>();

  get on(): boolean {
    return this.#on;
  }

  /** Turn it on or off, and remember it. What is turned on is heard. */
  toggle(): void {
    this.#on = !this.#on;
    device.set(STORED, this.#on ? "on" : "off");
    if (this.#on) void this.make("bell");
  }

  /** Get ready while somebody presses something: before that a browser plays nothing. */
  unlock(): void {
    if (!this.#on) return;
    this.#context ??= new AudioContext();
    if (this.#context.state === "suspended") void this.#context.resume();
  }

  /** Play a sound, `later` seconds from now. Nothing is heard before somebody has pressed anything. */
  async make(name: SoundName, later = 0): Promise<void> {
    if (!this.#on || !navigator.userActivation?.hasBeenActive) return;
    this.unlock();
    const context = this.#context!;
    const buffer = this.#made.get(name) ?? (await this.#synthesised(name, context));
    const source = context.createBufferSource();
    const gain = context.createGain();
    gain.gain.value = LOUDNESS;
    source.buffer = buffer;
    source.connect(gain).connect(context.destination);
    source.start(context.currentTime + later);
  }

  async #synthesised(name: SoundName, context: AudioContext): Promise<AudioBuffer> {
    const { synthesise } = await import("./synthesis");
    const samples = await synthesise(name, context.sampleRate);
    const buffer = context.createBuffer(1, samples.length, context.sampleRate);
    buffer.copyToChannel(samples, 0);
    this.#made.set(name, buffer);
    return buffer;
  }
}

/** As it was chosen; before that, sound is for those who have not asked their system for less. */
function wanted(): boolean {
  const stored = device.get(STORED);
  return stored === "on" || stored === "off"
    ? stored === "on"
    : !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export const sound = new Sound();
