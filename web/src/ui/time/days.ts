// Days of the server, which are those of UTC: `2026-11-23`.

import { locale } from "../../shell/words.svelte";

/** A form without the year, for days that are not long ago. */
export const DAY_AND_MONTH = { day: "numeric", month: "long" } as const;

/** A day as the reader's language writes it. */
export function dayName(day: string, form: Intl.DateTimeFormatOptions = { dateStyle: "long" }): string {
  return new Intl.DateTimeFormat(locale(), { ...form, timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
}
