// The rows of the constellation cards.

import { entryOf } from "../../../core/catalogue";
import type { SchlossgartenView } from "../../../client/messages";

/** The pattern of a card: rows of marks, north to south. A view holds no deck but one that was brought. */
export function rowsOf({ game, box }: SchlossgartenView, card: number): string[] {
  const deck = box["deck"] as string[][] | undefined;
  return (deck ?? entryOf(game)?.deck)?.[card - 1] ?? [];
}
