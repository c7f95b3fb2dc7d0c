import { beforeAll, expect, test } from "vitest";
import { need } from "../../shell/words.svelte";
import { textOf } from "../../ui/jsonFile";
import { placed, recordsIn } from "./recordFile";

beforeAll(() => need("file", "replay"));

const RECORD = {
  game: "lights",
  deal: { hands: [["A1", "B2"], ["C3"]] },
  moves: ["a1", "b2"],
};
const LINE = JSON.stringify(RECORD);
const LINES = JSON.stringify(RECORD, null, 2);

test.each([
  ["one line", LINE, 1],
  ["several lines", LINES, 1],
  ["a game a line", `${LINE}\n\n${LINE}\r\n`, 2],
])("a file of %s has its games", (_, text, games) => {
  const { records, problem } = recordsIn(text);
  expect([records.length, problem]).toEqual([games, ""]);
  expect(records).toContainEqual(RECORD);
});

test.each([
  ["a comma at the end", LINES.replace(/\n}$/, ",\n}"), "Line 17, column 4: a comma before }"],
  ["curly quotes", LINES.replace('"game"', "“game”"), "Line 2, column 3: “ is no quotation mark"],
  ["Windows' ends of lines", LINES.replace(/\n}$/, ",\n}").replaceAll("\n", "\r\n"), "Line 17, column 4: a comma"],
  ["two games on several lines", `${LINES}\n${LINES}`, "Line 19, column 1: another object begins here"],
  ["no game", "\n", "The file is empty"],
  ["a list", `[${LINE}]`, "This file is not the record of a game"],
  [
    "a game of two that is wrong",
    `${LINE}\n\n${LINE.slice(0, -1)}`,
    `Line 3, column ${LINE.length}: the text ends too early`,
  ],
])("of %s the page says where it is wrong", (_, text, problem) => {
  expect(recordsIn(text).problem).toContain(problem);
});

test.each([
  ["ply 1: b2 is taken", LINES, "Line 16: ply 1: b2 is taken"],
  ["deal.hands[1] has 1 entries", LINES, "Line 9: deal.hands[1] has 1 entries"],
  ['options has no "players"', LINES, 'Line 1: options has no "players"'],
  ["ply 1: b2 is taken", LINE, "ply 1: b2 is taken"],
])("an error of a record has its line: %s", (message, text, shown) => {
  expect(placed(recordsIn(text).records[0], message)).toBe(shown);
});

test("an error in a game of several has the line of that game; of others nobody knows a line", () => {
  expect(placed(recordsIn(`${LINE}\n\n${LINE}`).records[1], "ply 1: no")).toBe("Line 3: ply 1: no");
  expect(placed({ ...RECORD }, "ply 1: no")).toBe("ply 1: no");
});

test.each(["utf-8", "utf-16le", "utf-16be"])(
  "a file in %s is read, with a mark of its encoding or without",
  async (encoding) => {
    const bytes = (text: string) =>
      encoding === "utf-8"
        ? new TextEncoder().encode(text)
        : Uint8Array.from(
            Array.from(text).flatMap((letter) => {
              const code = letter.charCodeAt(0);
              return encoding === "utf-16le" ? [code & 255, code >> 8] : [code >> 8, code & 255];
            }),
          );
    for (const text of [LINE, `\ufeff${LINE}`]) expect(await textOf(new Blob([bytes(text)]))).toBe(LINE);
  },
);
