// How slowly a table is played, and what happens to those who are late, in words.

import { isLevel, levelName } from "./levels";
import type { Slow } from "../client/messages";
import { t } from "../shell/words.svelte";

/** A sentence, for those who sit down or play. */
export function slowWords(slow: Slow): string {
  return t("start.slow_said", parts(slow));
}

/** The same in few words, for a list. */
export function slowShort(slow: Slow): string {
  return t("start.slow_then", parts(slow));
}

function parts({ days, bot, until_back }: Slow): { n: number; bot: string; how: string } {
  return { n: days, bot: isLevel(bot) ? levelName(bot) : bot, how: until_back ? "back" : "turn" };
}
