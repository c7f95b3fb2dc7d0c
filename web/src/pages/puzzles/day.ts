// Puzzles of days: their addresses, which follows which, and results in words.

import { type Asked, dayBefore, type Grade } from "../../local/answers";
import { isLevel, levelCalled } from "../../core/levels";
import { t } from "../../shell/words.svelte";

/** How the names of searches begin; the number of simulations follows. */
const SEARCH = "search:";

export function pathOf({ game, day, grade }: Asked): string {
  return `/puzzles/${game}/${day}/${grade}`;
}

/**
 * The puzzle that comes after another: that of the next grade, of those that the game has, or the first of the day
 * before. Nothing comes after the oldest day.
 */
export function nextOf({ game, day, grade }: Asked, grades: readonly Grade[], oldest: string): Asked | undefined {
  const harder = grades[grades.indexOf(grade) + 1];
  if (harder) return { game, day, grade: harder };
  const [easiest] = grades;
  return easiest && day > oldest ? { game, day: dayBefore(day), grade: easiest } : undefined;
}

export function stateKey(solved: boolean | null) {
  if (solved === null) return "puzzles.state_open";
  return solved ? "puzzles.state_solved" : "puzzles.state_missed";
}

/** A sign beside the words, so that a list is read at a glance. */
export function stateSign(solved: boolean | null): string {
  if (solved === null) return "○";
  return solved ? "✓" : "✗";
}

/** What a bot that tried a puzzle is called: a level, a search, or one that looks no further than the next points. */
export function botThatTried(bot: string): string {
  if (isLevel(bot)) return levelCalled(bot);
  if (bot.startsWith(SEARCH)) return t("puzzles.a_search", { n: parseInt(bot.slice(SEARCH.length)) });
  return t("puzzles.next_points");
}
