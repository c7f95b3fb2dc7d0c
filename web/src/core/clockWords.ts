// The clocks of a table, and what happens to those whose time is up, in words.

import { isLevel, levelName } from "./levels";
import type { Clock } from "../client/messages";
import { t } from "../shell/words.svelte";

/** A sentence, for those who sit down or play. */
export function clockWords({ minutes, increment = 0, bot }: Clock): string {
  const plays = bot && isLevel(bot) ? levelName(bot) : (bot ?? "");
  return t("start.clock_said", { minutes, increment, bot: plays, how: bot ? "bot" : "lost" });
}

/** The same in few words, for a list. */
export function clockShort({ minutes, increment = 0 }: Clock): string {
  return t("start.clock_short", { minutes, increment });
}
