// What answers came to: this device keeps the first ones, and a server that there is counts them, for all devices of a
// guest and for how many have found a puzzle.

import { entryOf } from "../../core/catalogue";
import { type Asked, answers, dayBefore, dayOfTime, keepAnswers, solved } from "../../local/puzzleAnswers";
import { puzzleAnswers, tellAnswer } from "../../client/api";
import type { KeptPuzzle, PuzzleTries } from "../../client/messages";
import { clock } from "../../shell/clock.svelte";
import { hasServer } from "../../shell/site";

/** Days before today whose puzzles can be solved. */
export const ARCHIVE_DAYS = 60;

/** The day that it is, by UTC. */
export function today(): string {
  return dayOfTime(clock.now());
}

/** The days of which there are puzzles, the latest first. */
export function days(): string[] {
  return Array.from({ length: ARCHIVE_DAYS + 1 }, (_, ago) => dayBefore(today(), ago));
}

/** Keep an answer; return whether it was the first one, which counts. */
export function answered(asked: Asked, right: boolean): boolean {
  return keepAnswers([{ ...asked, solved: right, on_day: asked.day === today() }]) > 0;
}

/** Tell the server the first answer to a puzzle; return how all guests did. Nothing where no server can be asked. */
export async function told(asked: Asked): Promise<PuzzleTries | undefined> {
  const found = solved(asked);
  if (!hasServer || found === null) return undefined;
  return tellAnswer(asked, found).catch(() => undefined);
}

/** Take in what other devices have told the server, and tell it what was answered without it. */
export async function exchange(): Promise<void> {
  if (!hasServer) return;
  const theirs = await puzzleAnswers().catch(() => undefined);
  if (!theirs) return;
  keepAnswers(theirs.answers);
  const known = new Set(theirs.answers.map(nameOf));
  const asked = new Set(days());
  // A file may have brought answers of other servers, with other games.
  const isThere = ({ game, day }: KeptPuzzle) => asked.has(day) && Boolean(entryOf(game)?.puzzles);
  for (const one of answers().filter((one) => isThere(one) && !known.has(nameOf(one)))) {
    if (!(await told(one))) return;
  }
}

function nameOf({ game, day, grade }: KeptPuzzle): string {
  return `${game}/${day}/${grade}`;
}
