// Taking back what one press did: a move, and with it those that the board made by itself after it.

import type { LiveTable } from "../client/liveTable.svelte";
import type { LogEntry } from "../client/messages";

/** The last move that still stands. */
export function lastStanding(log: readonly LogEntry[]): LogEntry | undefined {
  let undone = 0;
  return log.findLast(({ undo }) => {
    if (undo) undone += 1;
    else if (undone) undone -= 1;
    else return true;
    return false;
  });
}

export class TakeBack {
  /** The numbers of moves that were made by themselves. */
  readonly #made = new Set<number>();
  /** Whether the move before the one that is being taken back goes with it. */
  #goesOn = false;

  constructor(readonly live: Pick<LiveTable, "ask" | "log" | "position">) {}

  /** Note whether the move of this number was made by itself after the one before. */
  note(number: number, byItself: boolean): void {
    if (byItself) this.#made.add(number);
    else this.#made.delete(number);
  }

  /** Take the last move back. */
  start(): void {
    const { position, log } = this.live;
    const seat = position?.view.seat ?? null;
    if (!position || seat === null) return;
    this.#goesOn = this.#made.has(lastStanding(log)?.number ?? -1);
    this.live.ask({ type: "undo", seat, number: position.number });
  }

  /** Go on from a position that has arrived, if taking a move back led to it. */
  follow(): void {
    const goesOn = this.#goesOn && this.live.log.at(-1)?.undo;
    this.#goesOn = false;
    if (goesOn && this.live.position?.undo) this.start();
  }
}
