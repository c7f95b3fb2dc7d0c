// Who won, in a line.

import type { Sheet } from "../lib/messages";
import { language, t } from "../lib/words.svelte";

export function verdict(sheet: Sheet, names: string[]): string {
  const n = best(sheet);
  if (sheet.columns.length) return t("table.solitaire", { n });
  const winners = sheet.winners.map((seat) => names[seat] ?? "");
  if (winners.length === 1) return t("table.wins", { name: winners[0] ?? "", n });
  return t("table.share", { names: new Intl.ListFormat(language()).format(winners), n });
}

/** Why one of several with the same points won; only Topiary breaks ties. */
export function tieWords(sheet: Sheet): string | undefined {
  const n = best(sheet);
  const tied = sheet.scores.filter((score) => score === n).length;
  return tied > sheet.winners.length ? t("table.tie_broken", { n }) : undefined;
}

function best({ winners, scores }: Sheet): number {
  return scores[winners[0] ?? 0] ?? 0;
}
