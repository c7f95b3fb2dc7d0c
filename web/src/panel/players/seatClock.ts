// What the clock of a seat says: the server tells what each had left when it last stood, and since when one runs.

import type { Times } from "../../client/messages";

/** Seconds left at which it is told aloud, once each. */
export const TOLD = [30, 10] as const;
/** Seconds below which it is shown to be urgent. */
export const URGENT = 20;

/** Milliseconds that a seat has left, `passed` milliseconds after the server has told the times. */
export function leftOf({ left, since, now }: Times, seat: number, runs: boolean, passed: number): number {
  const kept = left[seat] ?? 0;
  if (!runs || since === null) return kept;
  const used = Date.parse(now) + passed - Date.parse(since);
  return Math.max(0, kept - Math.max(0, used));
}

/** `4:05`; 0:00 only when nothing is left. */
export function digits(left: number): string {
  const seconds = Math.ceil(left / 1000);
  return `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The number of seconds that is to be told now, of those that were passed since `before`; the last one of several. */
export function toldAt(before: number, left: number): number | undefined {
  return TOLD.findLast((seconds) => left <= seconds * 1000 && before > seconds * 1000);
}
