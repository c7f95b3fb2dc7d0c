// Why a record can't be stepped through, in the reader's language where we know it better than the server.

import type { ApiError } from "../../client/api";
import { t } from "../../shell/words.svelte";
import { placed } from "./recordFile";

export function problemWords({ code, message }: ApiError, record?: Record<string, unknown>): string {
  switch (code) {
    case "no table":
      return t("replay.no_table");
    case "not now":
      return t("replay.not_over");
    case "too large":
      return t("replay.too_large");
    case "malformed":
    case "illegal":
      // The message says which move of the record it is, and what would be right; it is in English.
      return `${t("replay.broken")} ${placed(record, message)}`;
    default:
      return message;
  }
}
