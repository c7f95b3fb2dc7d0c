// Which games were played in this browser. A game is offered with its guide until it was begun once, at any table.

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

export function hasPlayed(game: string): void {
  if (!wasPlayed(game)) device.set(PLAYED, [...playedGames(), game].join(" "));
}
