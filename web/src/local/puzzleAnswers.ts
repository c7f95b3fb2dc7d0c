// The first answers to the puzzles of the days, as this browser keeps them. Anybody may have changed what is kept, or the
// file that it comes from, so it is read with care.

import type { KeptPuzzle } from "../client/messages";
import { clock } from "../shell/clock.svelte";
import { device } from "../shell/store";
import { isObject } from "./reading";

/** From gentle to hard; each day has one of each. */
export const GRADES = ["easy", "medium", "hard"] as const;
export type Grade = (typeof GRADES)[number];

/** Which puzzle: that of a game and a grade on a day of UTC. */
export interface Asked {
  game: string;
  day: string;
  grade: Grade;
}

const KEPT = "bosquet.answers";
/** So many are kept, the latest: a year and more of all games. */
const MOST = 5000;
const DAY = 86_400_000;

/** All that are kept, the oldest day first. */
export function answers(): KeptPuzzle[] {
  const found = device.read(KEPT);
  return Array.isArray(found) ? found.filter(isAnswer) : [];
}

/** Whether the first answer to a puzzle was right; null before there is one. */
export function solved(asked: Asked, among: readonly KeptPuzzle[] = answers()): boolean | null {
  return among.find((one) => isSame(one, asked))?.solved ?? null;
}

/** Keep answers of which none is kept yet; return how many these are. */
export function keepAnswers(given: readonly KeptPuzzle[]): number {
  const kept = answers();
  const more = newAmong(given, kept);
  if (more.length) device.set(KEPT, JSON.stringify(inOrder([...kept, ...more]).slice(-MOST)));
  return more.length;
}

/**
 * Keep the answers of a file of which none is kept yet: as many as there is room for, so that none here is lost. Those of
 * days to come would take the room of all that follow; a clock may be a day wrong.
 */
export function takeInAnswers(given: readonly KeptPuzzle[]): void {
  const kept = answers();
  const last = dayOfTime(clock.now() + DAY);
  const more = inOrder(newAmong(given, kept)).filter(({ day }) => day <= last);
  keepAnswers(more.slice(Math.max(0, more.length - (MOST - kept.length))));
}

/** The first answer to each puzzle of which none is kept. */
function newAmong(given: readonly KeptPuzzle[], kept: readonly KeptPuzzle[]): KeptPuzzle[] {
  const known = new Set(kept.map(nameOf));
  return given.filter((one) => !known.has(nameOf(one)) && known.add(nameOf(one)));
}

function inOrder(some: KeptPuzzle[]): KeptPuzzle[] {
  return some.sort((one, other) => one.day.localeCompare(other.day));
}

/** On how many days in a row, up to today or yesterday, a puzzle of that day was solved on it. */
export function streak(today: string, among: readonly KeptPuzzle[] = answers()): number {
  const days = new Set(among.flatMap(({ day, solved, on_day }) => (solved && on_day ? [day] : [])));
  const last = days.has(today) ? today : dayBefore(today);
  let count = 0;
  for (let day = last; days.has(day); day = dayBefore(day)) count += 1;
  return count;
}

/** A day of UTC, some days before another. */
export function dayBefore(day: string, days = 1): string {
  return dayOfTime(Date.parse(day) - days * DAY);
}

/** The day of UTC at a time in milliseconds. */
export function dayOfTime(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export function isAnswer(found: unknown): found is KeptPuzzle {
  if (!isObject(found)) return false;
  const { game, day, grade, solved, on_day } = found;
  return (
    typeof game === "string" &&
    game !== "" &&
    game.length <= 32 &&
    !/\W/.test(game) &&
    typeof day === "string" &&
    isDay(day) &&
    isGrade(grade) &&
    typeof solved === "boolean" &&
    typeof on_day === "boolean"
  );
}

export function isGrade(found: unknown): found is Grade {
  return (GRADES as readonly unknown[]).includes(found);
}

/** Whether a text is a day as it is written here, `2026-11-23`. */
export function isDay(text: string): boolean {
  const time = Date.parse(text);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && dayOfTime(time) === text;
}

function isSame(one: KeptPuzzle, other: Asked): boolean {
  return nameOf(one) === nameOf(other);
}

function nameOf({ game, day, grade }: Asked): string {
  return `${game}/${day}/${grade}`;
}
