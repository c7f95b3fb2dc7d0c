// Why a choice of a hint is as good as it is, in a player's words: points first, the chance to win with them.
// `HintPanel.svelte` shows it.

import type { Hinted } from "../client/givenHint";
import { t } from "../shell/words.svelte";
import { tenths } from "../ui/numbers";

/** Points that make no difference that anybody could tell. */
const ALIKE = 0.05;

/** `2.2 points more than the next · wins 73 of 100 games from here`; where points do not tell two apart, only chances do. */
export function whyWords(choices: readonly Hinted[], i: number): string {
  const { win, points } = choices[i]!;
  const other = choices[i ? 0 : 1];
  const n = other ? Math.abs(points - other.points) : 0;
  const wins = t("table.hint_win", { n: Math.round(100 * (win ?? 0)) });
  if (!other || n < ALIKE) return `${t("table.hint_alike", { points: tenths(points) })} · ${wins}`;
  const ahead = points > other.points;
  const key = i ? (ahead ? "hint_over_best" : "hint_under_best") : ahead ? "hint_over_next" : "hint_under_next";
  return `${t(`table.${key}`, { n: tenths(n) })} · ${wins}`;
}
