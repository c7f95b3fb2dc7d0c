// Why there is no position at an address, in the reader's language; what the engine says names the place.

import { EngineError } from "../../engine/errors";
import { t } from "../../shell/words.svelte";
import type { WrongPlace } from "./place";

/** The longest part of somebody else's text that is shown. */
const LONGEST = 300;

export function problemOf(error: EngineError | WrongPlace): string {
  const problem = cut(error.message);
  if (!(error instanceof EngineError)) return t("analysis.link_wrong", { problem });
  // What such an error says may be in the browser's words.
  if (["unavailable", "module", "failed"].includes(error.reason)) return t("common.no_engine");
  return t("analysis.text_wrong", { problem: error.ply === undefined ? problem : `ply ${error.ply}: ${problem}` });
}

function cut(text: string): string {
  const letters = Array.from(text);
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST).join("")}…` : text;
}
