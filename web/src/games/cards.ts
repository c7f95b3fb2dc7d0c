// What the games bring to the start page, in the chunk of that page: it needs all of them at once.

import type { GameCard } from "../core/game";

const FOUND = import.meta.glob<{ default: GameCard }>("./*/card.ts", { eager: true });

/** The card of a game, or the one for games that bring none. */
export function cardOf(game: string): GameCard {
  return (FOUND[`./${game}/card.ts`] ?? FOUND["./generic/card.ts"]!).default;
}
