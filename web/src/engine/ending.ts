// How a game ended other than by its rules, as in `core/ending.py`.

import { EngineError } from "./errors.ts";

/** `played` is a game that went on to its end although a seat had resigned; `void` one that does not count. */
export const HOW = ["played", "resigned", "agreed", "void"] as const;

export interface Ending {
  how: (typeof HOW)[number];
  /** The seats that had resigned, in ascending order: they can't win. */
  resigned: number[];
}

/** Check that a game can end so; `over` is whether it is over by its rules. Raises EngineError. */
export function checkEnding({ how, resigned }: Ending, players: number, over: boolean): void {
  if (over !== (how === "played")) {
    throw wrong(over ? "the game is over by its rules" : "the game is not over by its rules");
  }
  const isSeat = (seat: number) => Number.isInteger(seat) && seat >= 0 && seat < players;
  if (!resigned.every((seat, i) => isSeat(seat) && (i === 0 || seat > resigned[i - 1]!))) {
    throw wrong(`resigned is [${resigned.join(", ")}]; it must be seats below ${players} in ascending order`);
  }
  if (resigned.length >= players || (!resigned.length && (how === "played" || how === "resigned"))) {
    throw wrong(`${resigned.length} of ${players} seats resigned; one at least must have, and one not`);
  }
}

/** Return who won among the seats that did not resign: the winners by the rules, or those with most points. */
export function winnersOf({ how, resigned }: Ending, byRules: readonly number[], scores: readonly number[]): number[] {
  if (how === "void") return [];
  const left = scores.map((_, seat) => seat).filter((seat) => !resigned.includes(seat));
  const most = Math.max(...left.map((seat) => scores[seat]!));
  const winners = left.filter((seat) => byRules.includes(seat));
  return winners.length ? winners : left.filter((seat) => scores[seat] === most);
}

function wrong(message: string): EngineError {
  return new EngineError("argument", message);
}
