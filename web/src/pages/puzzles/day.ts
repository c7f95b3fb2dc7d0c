// Puzzles of days: their addresses, which follows which, and results in words.

import { type Asked, dayBefore, type Grade } from "../../local/puzzleAnswers";
import type { Puzzle } from "../../local/puzzles";
import { isLevel, levelCalled } from "../../core/levels";
import { t } from "../../shell/words.svelte";

/** How often each bot has tried a puzzle: `TRIES` of `lab/puzzles/grades.py`. */
export const TRIES = 8;

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

/** How often the levels have found a puzzle: `level 2 · Clover 3 of 8 times`. */
export function foundWords(shares: Puzzle["found_by"]): string[] {
  return Object.entries(shares).flatMap(([bot, share]) =>
    isLevel(bot) ? [t("puzzles.found", { bot: levelCalled(bot), n: Math.round(TRIES * share) })] : [],
  );
}
