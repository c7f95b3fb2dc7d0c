// Days, as the reader's language writes them.

import { locale } from "../../shell/words.svelte";

/** A form without the year, for days that are not long ago. */
export const DAY_AND_MONTH = { day: "numeric", month: "long" } as const;

/** A day of the server, `2026-11-23`, which is one of UTC. */
export function dayName(day: string, form: Intl.DateTimeFormatOptions = { dateStyle: "long" }): string {
  return new Intl.DateTimeFormat(locale(), { ...form, timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
}

/** The day of a moment where the reader is. */
export function dayOf(moment: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium" }).format(new Date(moment));
}
