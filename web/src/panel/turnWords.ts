// Whose turn it is, in words; at the end, that it is over.

import type { TableState, View } from "../client/messages";
import { t } from "../shell/words.svelte";
import { endedWords } from "../ending/endedEarly";

/** `yours` is whether it is the reader's turn. */
export function turnWords({ over, seat }: View, news: TableState, names: readonly string[], yours = false): string {
  if (over) return news.ending ? endedWords(news, news.ending, names) : t("table.game_over");
  if (seat === null) return t("table.chance");
  return yours ? t("common.your_turn") : t("table.turn_of", { name: names[seat] ?? "" });
}
