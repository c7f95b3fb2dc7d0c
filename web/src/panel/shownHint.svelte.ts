// The hint that was given for a position, and which of its choices the board shows. `core/findHints.ts` asks the engine
// for the choices.

import type { Mark } from "../core/board";
import type { LiveTable } from "../client/liveTable.svelte";
import type { GamePage } from "../core/game";

export class ShownHint {
  /** The choice under the pointer or the focus. */
  pointed = $state<number | null>(null);
  /** The one that was pressed: it stays on the board. */
  chosen = $state<number | null>(null);
  /** Whether a hint was asked for that has not been shown yet. */
  asked = false;

  constructor(
    readonly live: LiveTable,
    readonly game: GamePage,
  ) {}

  get choices() {
    return this.live.hint?.choices ?? [];
  }

  /** The choice that is on the board: the one that is pointed at or was pressed, else the best. Null if all of them are,
   * where lines can be told apart. */
  get shown(): number | null {
    const one = [this.pointed, this.chosen].find((i) => i !== null && i < this.choices.length);
    return one ?? (this.game.showsAllHints ? null : 0);
  }

  get marks(): Mark[] {
    const all = this.choices.map(({ data }, i) => ({ moves: data, label: String(i + 1) }));
    return this.shown === null ? all : all.slice(this.shown, this.shown + 1);
  }

  ask(seat: number): void {
    this.pointed = this.chosen = null;
    this.asked = true;
    this.live.ask({ type: "hint", seat });
  }
}
