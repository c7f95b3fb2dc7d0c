// What was refused, in the reader's language, and what to do.

import type { ApiError } from "./api";
import type { Refused } from "./messages";
import { type Key, t } from "./words.svelte";

type Code = Refused["code"] | ApiError["code"];

const WORDS: Record<Code, Key> = {
  busy: "table.refused_busy",
  "bots away": "table.refused_bots_away",
  "host away": "table.refused_host_away",
  illegal: "table.refused_illegal",
  malformed: "table.refused_page",
  name: "table.refused_name",
  "no seat": "table.refused_no_seat",
  "no table": "table.no_table",
  "not now": "table.refused_now",
  "not yours": "table.refused_now",
  offline: "table.refused_offline",
  stale: "table.refused_stale",
  unavailable: "table.refused_unavailable",
  unreadable: "table.unreadable",
  "too large": "table.refused_page",
  "wrong origin": "table.refused_page",
};

export function refusal({ code }: { code: Code }): string {
  return t(WORDS[code]);
}
