// The generator of src/bosquet/core/chance.py: sfc32, the same numbers for the same seed.

const WORD = 2 ** 32;

export class Chance {
  private constructor(private readonly lanes: Uint32Array) {}

  /** Lanes for a seed of several parts. */
  static async of(...seed: string[]): Promise<Chance> {
    const view = new DataView(await digest(["bosquet", ...seed].join("/")));
    return new Chance(Uint32Array.from([0, 4, 8, 12], (at) => view.getUint32(at, true)));
  }

  private draw(): number {
    const [a = 0, b = 0, c = 0, counter = 0] = this.lanes;
    const word = (a + b + counter) % WORD;
    this.lanes[0] = b ^ (b >>> 9);
    this.lanes[1] = c + (c << 3);
    this.lanes[2] = ((c << 21) | (c >>> 11)) + word;
    this.lanes[3] = counter + 1;
    return word;
  }

  /** A uniform number in 0 … n-1, for small n (Lemire). */
  below(n: number): number {
    const threshold = (WORD - n) % n;
    let product = this.draw() * n;
    while (product % WORD < threshold) product = this.draw() * n;
    return Math.floor(product / WORD);
  }

  /** The items in a uniformly random order (Fisher-Yates). */
  shuffled<Item>(items: Item[]): Item[] {
    const order = [...items];
    for (let i = order.length - 1; i > 0; i -= 1) {
      const j = this.below(i + 1);
      [order[i], order[j]] = [order[j] as Item, order[i] as Item];
    }
    return order;
  }
}

export function digest(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
}

export async function hexDigest(text: string): Promise<string> {
  return Array.from(new Uint8Array(await digest(text)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
