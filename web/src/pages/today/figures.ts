// What the cards of a day have in common: results in words, and which bots one is ahead of.

import type { DailyBot, DailyGame, DailyResult } from "../../client/messages";
import { signed, t } from "../../shell/words.svelte";

/** A result as a sentence. */
export function resultWords({ value, points, against }: DailyResult): string {
  if (value === null || points === null) return t("today.given_up");
  if (against === null) return t("today.points", { n: points });
  const about = { own: points, other: against, n: Math.abs(value) };
  return t(value > 0 ? "today.won_by" : value < 0 ? "today.lost_by" : "today.even", about);
}

/** What is ranked: points alone, else the lead with its sign. */
export function valueWords(value: number, alone: boolean): string {
  return alone ? String(value) : signed(value);
}

/** The bots that came out worse. */
export function beaten(value: number, bots: readonly DailyBot[]): number {
  return bots.filter((bot) => bot.value < value).length;
}

/** The place of a ranked result. */
export function rankWords({ players, outcome }: DailyGame): string {
  return outcome?.rank ? t("today.rank", { rank: outcome.rank, n: players }) : t("today.unranked");
}
