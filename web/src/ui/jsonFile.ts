// Files of JSON that somebody opens, and what is wrong with them in the reader's words, of the area `file`.

import { t } from "../shell/words.svelte";
import { faultIn, lineAndColumn } from "./jsonText";

type Fields = Record<string, unknown>;

/** Bytes of a file such as that of a box, at most. */
const MOST_BYTES = 65_536;
/** The encoding of JSON by its first two bytes, where it is not UTF-8. */
const ENCODINGS: Record<string, string> = {
  "255,254": "utf-16le",
  "254,255": "utf-16be",
  "123,0": "utf-16le",
  "0,123": "utf-16be",
};

/** The file that was chosen. The input forgets it, so that the same one can be chosen again once it has been mended. */
export function chosenIn(input: HTMLInputElement): File | undefined {
  const file = input.files?.[0];
  input.value = "";
  return file;
}

/** The text of a file in UTF-8 or UTF-16, without the mark of its encoding; nothing of one that is no longer there. */
export async function textOf(file: Blob): Promise<string | undefined> {
  const buffer = await file.arrayBuffer().catch(() => undefined);
  if (!buffer) return undefined;
  const bytes = new Uint8Array(buffer);
  return new TextDecoder(ENCODINGS[String(bytes.subarray(0, 2))] ?? "utf-8").decode(bytes);
}

/** The value of a text, where it is JSON without a key that is there twice. */
export function valueOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return faultIn(text) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** What is wrong with a text that should be JSON, with the line of its file and the column; nothing where that can't be said. */
export function faultWords(text: string, firstLine = 1): string {
  if (!text.trim()) return t("file.empty");
  const fault = faultIn(text);
  if (!fault) return "";
  const { line, column } = lineAndColumn(text, fault.at);
  return t("file.at", { line: line + firstLine - 1, column, what: t(`file.${fault.why}`, { shown: fault.shown }) });
}

/** The object that a small file holds, or why it holds none, as far as that can be said. */
export async function readObject(file: Blob): Promise<{ content?: Fields; problem: string }> {
  if (file.size > MOST_BYTES) return { problem: t("file.too_large") };
  const text = await textOf(file);
  if (text === undefined) return { problem: t("file.gone") };
  const content = valueOf(text);
  if (typeof content !== "object" || content === null || Array.isArray(content)) return { problem: faultWords(text) };
  return { content: content as Fields, problem: "" };
}
