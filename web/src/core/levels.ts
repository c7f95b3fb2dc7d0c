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

/** `3 · Ivy`: in sentences and lists of something else than strength. */
export function levelCalled(level: Level): string {
  return `${levelNumber(level)} · ${levelName(level)}`;
}

/** `3 · Ivy, solid`, or what another bot is called: in lists, where levels stand beside each other. */
export function botTitle(bot: string): string {
  if (!isLevel(bot)) return botName(bot);
  return t("start.level_title", { n: levelNumber(bot), name: levelName(bot), word: t(`start.strength_${bot}`) });
}

/** From 1, the gentlest. */
export function levelNumber(level: Level): number {
  return LEVELS.indexOf(level) + 1;
}

/** `2 of 7, easy-going` */
export function levelStrength(level: Level): string {
  return t("start.strength", { n: levelNumber(level), of: LEVELS.length, word: t(`start.strength_${level}`) });
}

export function lastLevel(game: string): Level {
  const stored = device.get(`${STORED}.${game}`) ?? "";
  return isLevel(stored) ? stored : FIRST;
}

export function rememberLevel(game: string, level: Level): void {
  device.set(`${STORED}.${game}`, level);
}
