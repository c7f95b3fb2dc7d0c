// Chances and points as the reader's language writes them.

import { language } from "../shell/words.svelte";

export function percent(share: number): string {
  return new Intl.NumberFormat(language(), { style: "percent", maximumFractionDigits: 0 }).format(share);
}

export function tenths(points: number): string {
  return new Intl.NumberFormat(language(), { maximumFractionDigits: 1 }).format(points);
}
