// How much time is left for a turn at a slow table, and until when, in the reader's language.

import { locale, t } from "../../shell/words.svelte";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `2 days left`: never more than there is, but for the half hour that a turn has only just begun. */
export function timeLeft(deadline: string, now: number): string {
  const left = Date.parse(deadline) - now;
  if (left <= 0) return t("common.left_none");
  if (left + HOUR / 2 >= 2 * DAY) return t("common.left_days", { n: Math.floor((left + HOUR / 2) / DAY) });
  if (left >= 2 * HOUR) return t("common.left_hours", { n: Math.floor((left + HOUR / 2) / HOUR) });
  return t("common.left_minutes", { n: Math.ceil(left / MINUTE) });
}

/** The day and the time of day, where the reader is. */
export function moment(deadline: string): string {
  const form: Intl.DateTimeFormatOptions = {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "numeric",
    minute: "2-digit",
  };
  return new Intl.DateTimeFormat(locale(), form).format(new Date(deadline));
}
