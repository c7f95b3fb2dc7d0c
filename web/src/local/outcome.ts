// How a record says that a game ended.

import type { GameRecord, SavedTable } from "./reading";
import { mineOf } from "./state";

export interface Outcome {
  /** None where the game does not count. */
  scores: number[];
  winners: number[];
  /** How it ended, if not by its rules alone. */
  how: string | undefined;
}

/** Read how a game ended; what is kept may have been changed by anybody. */
export function outcomeOf(record: GameRecord): Outcome {
  const ending = objectOf(record["ending"]);
  const { scores, winners } = { ...objectOf(record["result"]), ...ending };
  const { how } = ending;
  return { scores: numbers(scores), winners: numbers(winners), how: typeof how === "string" ? how : undefined };
}

/** What a finished game was for the one here who played with others; undefined where it was nothing for one person. */
export function forOne(table: SavedTable, { winners }: Outcome): "won" | "shared" | "lost" | undefined {
  const [mine, ...others] = mineOf(table);
  if (mine === undefined || others.length || table.seats.length === 1 || !winners.length) return undefined;
  if (!winners.includes(mine)) return "lost";
  return winners.length > 1 ? "shared" : "won";
}

function objectOf(found: unknown): Record<string, unknown> {
  return typeof found === "object" && found !== null ? (found as Record<string, unknown>) : {};
}

function numbers(found: unknown): number[] {
  return Array.isArray(found) ? found.filter((one) => typeof one === "number") : [];
}
