// Reveals the final score of a game line by line, while the board lights what each line comes from. The engine has counted
// it; `ending.ts` puts its lines in order, `RevealedLine.svelte` shows one.

import type { Sheet } from "../client/messages";
import { type CountedLine, countingOrder } from "./ending";

/** Milliseconds of a line, and of all of them. */
const LINE = { longest: 650, shortest: 170, all: 9000 };
const LAST = 900;

export class ScoreReveal {
  #lines: CountedLine[] = [];
  #at = $state(-1);
  #next: ReturnType<typeof setTimeout> | undefined;

  readonly running: boolean = $derived(this.#at >= 0);
  /** Whether there is more to come than the line that is lit: until then nobody has won. */
  readonly open: boolean = $derived(this.#at >= 0 && this.#at < this.#lines.length - 1);
  readonly line: CountedLine | undefined = $derived(this.#lines[this.#at]);

  /** Count a sheet; where less motion is wanted, nothing is counted. */
  start(sheet: Sheet): void {
    this.stop();
    const alone = sheet.scores.length < 2;
    if (alone || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.#lines = countingOrder(sheet);
    const pause = Math.min(LINE.longest, Math.max(LINE.shortest, LINE.all / Math.max(1, this.#lines.length)));
    this.#step(pause);
  }

  stop(): void {
    clearTimeout(this.#next);
    this.#at = -1;
  }

  #step(pause: number): void {
    if (this.#at + 1 >= this.#lines.length) return this.stop();
    this.#at += 1;
    const last = this.#at === this.#lines.length - 1;
    this.#next = setTimeout(() => this.#step(pause), last ? LAST : pause);
  }
}
