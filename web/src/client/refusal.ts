// What was refused, in the reader's language, and what to do.

import { ApiError } from "./api";
import type { Refused, Why } from "./messages";
import { type Key, t } from "../shell/words.svelte";

type Code = Refused["code"] | ApiError["code"] | "no engine";

const WORDS: Record<Code, Key> = {
  barred: "common.refused_barred",
  busy: "common.refused_busy",
  "bots away": "common.refused_bots_away",
  "host away": "common.refused_host_away",
  devices: "common.refused_devices",
  erased: "common.refused_erased",
  hidden: "common.refused_hidden",
  illegal: "common.refused_illegal",
  malformed: "common.refused_page",
  name: "common.refused_name",
  "no code": "common.refused_no_code",
  "no engine": "common.refused_no_engine",
  "no person": "common.refused_no_person",
  "no seat": "common.refused_no_seat",
  "no table": "common.no_table",
  "not found": "common.refused_not_found",
  "not now": "common.refused_now",
  "not yours": "common.refused_now",
  offline: "common.refused_offline",
  "other tables": "common.refused_other_tables",
  revoked: "common.refused_revoked",
  stale: "common.refused_stale",
  unavailable: "common.refused_unavailable",
  unreadable: "common.unreadable",
  "too large": "common.refused_page",
  "wrong origin": "common.refused_page",
};

/** Why something was refused; of a move the rule that it breaks, where the game has words for that. */
export function refusal(
  refused: { code: Code } | Refused,
  game?: { illegal?: (why: Why) => string | undefined },
): string {
  const why = "why" in refused ? refused.why : undefined;
  return (why && game?.illegal?.(why)) ?? t(WORDS[refused.code]);
}

/** Why a request was refused, from what was caught; throws again what is no refusal. */
export function refusalOf(caught: unknown): string {
  if (!(caught instanceof ApiError)) throw caught;
  return refusal(caught);
}
