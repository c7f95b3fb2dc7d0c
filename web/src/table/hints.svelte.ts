// The hint that was given for a position, and which of its choices is pointed at.

import type { Mark } from "../lib/board";
import type { Live } from "../lib/live.svelte";
import type { GamePage } from "../lib/game";

export class Hints {
  pointed = $state<number | null>(null);

  constructor(
    readonly live: Live,
    readonly game: GamePage,
  ) {}

  get choices() {
    return this.live.hint?.choices ?? [];
  }

  /** What is drawn on the board: the choice that is pointed at, else the best, or all where lines can be told apart. */
  get marks(): Mark[] {
    const all = this.choices.map(({ data }, i) => ({ moves: data, label: String(i + 1) }));
    const one = this.pointed === null ? undefined : all[this.pointed];
    if (one) return [one];
    return this.game.showsAllHints ? all : all.slice(0, 1);
  }

  ask(seat: number): void {
    this.pointed = null;
    this.live.ask({ type: "hint", seat });
  }
}
