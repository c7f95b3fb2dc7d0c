// The levels of the bots, plants from gentle to thorny, the champion above them, and the one that was played against last.

import { device } from "../shell/store";
import { t } from "../shell/words.svelte";

export const LEVELS = ["level1", "level2", "level3", "level4", "level5", "level6", "champion"] as const;
export type Level = (typeof LEVELS)[number];

const FIRST: Level = "level2";
const STORED = "bosquet.level";

export function isLevel(name: string): name is Level {
  return (LEVELS as readonly string[]).includes(name);
}

export function levelName(level: Level): string {
  return t(`start.bot_${level}`);
}

/** What a bot is called, of a level or of none. */
export function botName(bot: string): string {
  return isLevel(bot) ? levelName(bot) : bot.charAt(0).toUpperCase() + bot.slice(1);
}

/** `2 of 7, easy-going` */
export function levelStrength(level: Level): string {
  return t("start.strength", { n: LEVELS.indexOf(level) + 1, of: LEVELS.length, word: t(`start.strength_${level}`) });
}

export function lastLevel(game: string): Level {
  const stored = device.get(`${STORED}.${game}`) ?? "";
  return isLevel(stored) ? stored : FIRST;
}

export function rememberLevel(game: string, level: Level): void {
  device.set(`${STORED}.${game}`, level);
}
