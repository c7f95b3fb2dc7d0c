// Who won, in a line.

import type { GamePage } from "../lib/game";
import type { Sheet } from "../lib/messages";
import { language, t } from "../lib/words.svelte";

export function verdict(game: GamePage, sheet: Sheet, names: string[]): string {
  const special = game.sheet.verdict?.(sheet);
  if (special) return special;
  const n = best(sheet);
  const winners = sheet.winners.map((seat) => names[seat] ?? "");
  if (winners.length === 1) return t("table.wins", { name: winners[0] ?? "", n });
  return t("table.share", { names: new Intl.ListFormat(language()).format(winners), n });
}

/** Why one of several with the same points won, in a game that breaks ties. */
export function tieWords(game: GamePage, sheet: Sheet): string | undefined {
  const n = best(sheet);
  const tied = sheet.scores.filter((score) => score === n).length;
  return tied > sheet.winners.length ? game.sheet.tie?.(n) : undefined;
}

function best({ winners, scores }: Sheet): number {
  return scores[winners[0] ?? 0] ?? 0;
}
