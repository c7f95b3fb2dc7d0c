// What the server refused, in the reader's language; where words can't say it, its own message.

import type { Refused } from "../lib/messages";
import { t } from "../lib/words.svelte";

export function refusal(refused: Refused | { code: "offline" }): string {
  switch (refused.code) {
    case "offline":
      return t("table.refused_offline");
    case "stale":
      return t("table.refused_stale");
    case "busy":
      return t("table.refused_busy");
    case "not now":
    case "not yours":
      return t("table.refused_now");
    default:
      return refused.message;
  }
}
