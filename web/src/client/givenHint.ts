// A hint as it stays while the seat that got it plays what it says.

import type { LogEntry, Move } from "./messages";

/** What would be best for a seat now, from what it sees? The page answers that, also at a table of a server. */
export interface AskHint {
  type: "hint";
  seat: number;
}

/** Something that could be played. */
export interface Hinted {
  /** The choice, and what follows it in the same turn where that was thought of together. */
  moves: string[];
  /** The same moves as data. */
  data: Move[];
  /** Chance to win, 0 … 1; null alone. */
  win: number | null;
  /** Expected points at the end. */
  points: number;
}

/** The best choices in a position, the best first. */
export interface Hint {
  type: "hint";
  seat: number;
  number: number;
  choices: Hinted[];
}

export class GivenHint {
  /** What was played of it, in notation. */
  #made: string[] = [];
  #number: number;

  constructor(readonly given: Hint) {
    this.#number = given.number;
  }

  /**
   * What is left of it at a position that these entries lead to: of every choice that begins with what was played, the
   * rest. Null where there is none; after taking back there may be some again. Undefined where it is over for good.
   */
  follow(number: number, entries: readonly LogEntry[]): Hint | null | undefined {
    const added = entries.filter((entry) => entry.number >= this.#number && entry.number < number);
    if (added.length !== number - this.#number) return undefined;
    this.#number = number;
    for (const { seat, say, undo, ending } of added) {
      if (seat !== this.given.seat || ending) return undefined;
      if (!undo) this.#made.push(say);
      else if (this.#made.pop() === undefined) return undefined;
    }
    return this.#left();
  }

  #left(): Hint | null {
    const { length } = this.#made;
    const choices = this.given.choices
      .filter(({ moves }) => moves.length > length && this.#made.every((say, i) => say === moves[i]))
      .map((choice) => ({ ...choice, moves: choice.moves.slice(length), data: choice.data.slice(length) }));
    return choices.length ? { ...this.given, number: this.#number, choices } : null;
  }
}
