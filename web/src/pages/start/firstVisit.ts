// Which games were played in this browser. A game is offered with its guide until a move was made in it, at any table.

import type { LogEntry } from "../../client/messages";
import { device } from "../../shell/store";

const PLAYED = "bosquet.played";

function playedGames(): string[] {
  return device.get(PLAYED)?.split(" ") ?? [];
}

/** Whether no game was played here yet. */
export function isFirstVisit(): boolean {
  return playedGames().length === 0;
}

export function wasPlayed(game: string): boolean {
  return playedGames().includes(game);
}

/** Remember a game once one of `mine`, the visitor's own seats, has made a move. */
export function rememberPlayed(game: string, mine: readonly number[], entries: readonly LogEntry[]): void {
  const moved = entries.some(({ seat, move }) => move && seat !== null && mine.includes(seat));
  if (moved && !wasPlayed(game)) device.set(PLAYED, [...playedGames(), game].join(" "));
}
