// Who won, in a line.

import type { Sheet } from "../lib/messages";
import { language, t } from "../lib/words.svelte";

export function verdict(sheet: Sheet, names: string[]): string {
  const [first = 0] = sheet.winners;
  const n = sheet.scores[first] ?? 0;
  if (sheet.columns.length) return t("table.solitaire", { n });
  const winners = sheet.winners.map((seat) => names[seat] ?? "");
  if (winners.length === 1) return t("table.wins", { name: winners[0] ?? "", n });
  return t("table.share", { names: new Intl.ListFormat(language()).format(winners), n });
}
