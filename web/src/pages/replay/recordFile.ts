// The records of a file: one on one line or on several, or one a line (docs/records.md).

import { isObject, isShallow } from "../../local/reading";
import { faultWords, valueOf } from "../../ui/jsonFile";
import { lineAndColumn, partIn } from "../../ui/jsonText";
import { t } from "../../shell/words.svelte";

type GameRecord = Record<string, unknown>;

/** How often parts of a record may lie in each other: what sends and writes them calls itself for each. */
const DEEPEST = 500;

/** The text of a record that was read from a file, and the number of its first line. */
const written = new WeakMap<GameRecord, { text: string; line: number }>();

/** The records of a file, and what is wrong with the first part of it that is none. */
export function recordsIn(text: string): { records: GameRecord[]; problem: string } {
  const whole = recordOf(text, 1);
  if (whole) return { records: [whole], problem: "" };
  const lines = text.split("\n").map((line, index) => ({ text: line, number: index + 1 }));
  const filled = lines.filter((line) => line.text.trim());
  const isFileOfLines = filled.length > 1 && recordOf(filled[0]!.text, filled[0]!.number) !== undefined;
  if (!isFileOfLines) return { records: [], problem: faultWords(text) || t("replay.not_json") };
  const read = filled.map((line) => ({ ...line, record: recordOf(line.text, line.number) }));
  const wrong = read.find(({ record }) => !record);
  return {
    records: read.flatMap(({ record }) => (record ? [record] : [])),
    problem: wrong ? faultWords(wrong.text, wrong.number) || lineWords(wrong.number, t("replay.not_json")) : "",
  };
}

/** Which line of a file an error of its record is in, followed by the error; the error alone where nobody knows. */
export function placed(record: GameRecord | undefined, message: string): string {
  const from = record && written.get(record);
  if (!from) return message;
  // An error begins with the part that it is in.
  const ply = /^ply (\d+): /.exec(message);
  const at = partIn(from.text, ply ? `moves[${ply[1]}]` : message.split(/[ :;]/, 1)[0]!);
  const line = at === undefined ? 1 : lineAndColumn(from.text, at).line;
  // A file of one line has no other.
  if (from.line === 1 && line === 1 && !from.text.trim().includes("\n")) return message;
  return lineWords(from.line + line - 1, message);
}

function recordOf(text: string, line: number): GameRecord | undefined {
  const value = valueOf(text);
  if (!isObject(value) || !isShallow(value, DEEPEST)) return undefined;
  written.set(value, { text, line });
  return value;
}

function lineWords(line: number, message: string): string {
  return `${t("file.in_line", { line })} ${message}`;
}
