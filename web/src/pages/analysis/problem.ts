// Why there is no position at an address or in a text, in the reader's language.

import { EngineError } from "../../engine/errors";
import { t } from "../../shell/words.svelte";
import type { WrongPlace } from "./place";

export interface Problem {
  words: string;
  /** What the engine says of it, or which part of a link is wrong, in English. */
  detail?: string;
}

/** The longest part of somebody else's text that is shown. */
const LONGEST = 300;

export function problemOf(error: EngineError | WrongPlace): Problem {
  const detail = cut(error.message);
  if (!(error instanceof EngineError)) return { words: t("analysis.link_wrong"), detail: `Wrong in it: ${detail}` };
  // What such an error says may be in the browser's words.
  if (["unavailable", "module", "failed"].includes(error.reason)) return { words: t("common.no_engine") };
  return { words: t("analysis.text_wrong", { problem: partWords(error) }), detail };
}

/** Which part of a text or of a record is wrong, as far as the engine names it. */
function partWords({ message, ply }: EngineError): string {
  if (ply !== undefined) return t("analysis.text_move", { n: ply });
  const [, field] = /^(?:the field "|character \d+, )(\w+)/.exec(message) ?? [];
  return field ? t("analysis.text_field", { field }) : t("analysis.text_other");
}

function cut(text: string): string {
  const letters = Array.from(text);
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST).join("")}…` : text;
}
