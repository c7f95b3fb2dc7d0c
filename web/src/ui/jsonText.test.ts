import { expect, test } from "vitest";
import { faultIn, lineAndColumn, partIn } from "./jsonText";

test.each([
  ["a comma at the end", '{\n  "a": 1,\n}', "comma", 2, 9],
  ["a comma in a list", '{"a": [1, 2,\n]}', "comma", 1, 12],
  ["curly quotes", "{\n  “a”: 1}", "quote", 2, 3],
  ["curly quotes of a value", '{"a":\n “b”}', "quote", 2, 2],
  ["a comment before", "// mine\n{}", "comment", 1, 1],
  ["a comment within", '{"a": 1, # mine\n"b": 2}', "comment", 1, 10],
  ["no comma", '{"a": 1\n "b": 2}', "missing", 2, 2],
  ["no colon", '{"a" 1}', "missing", 1, 6],
  ["a key without quotes", "{a: 1}", "unexpected", 1, 2],
  ["a word", '{"a": True}', "unexpected", 1, 7],
  ["a bracket", '{"a": [1}', "missing", 1, 9],
  ["a number", '{"a": 01}', "unexpected", 1, 7],
  ["cut off", '{"a": [1,\n', "cut", 2, 1],
  ["not closed", '{"a": 1', "cut", 1, 8],
  ["a text that is open", '{"a": "b', "open", 1, 7],
  ["a line break in a text", '{"a": "b\n"}', "sign", 1, 9],
  ["an escape", '{"a": "b\\x"}', "sign", 1, 9],
  ["another object", '{"a": 1}\n{"a": 2}', "several", 2, 1],
  ["more", '{"a": 1} end', "after", 1, 10],
  ["a key twice", '{"a": {"b": 1},\n "a": 2}', "twice", 2, 2],
  ["a key that is written twice", '{"a": 1, "\\u0061": 2}', "twice", 1, 10],
  ["signs beyond the first plane", '{"🌳": 1, "🌳🌳" 2}', "missing", 1, 15],
])("%s has its line and column", (_, text, why, line, column) => {
  const fault = faultIn(text)!;
  expect({ why: fault.why, ...lineAndColumn(text, fault.at) }).toEqual({ why, line, column });
});

test.each([
  "{}",
  "[]",
  "7",
  '"a"',
  ' [1, -0.5e+3, true, null, {"a": [{}], "b": {"a": ""}}]\r\n',
  '{"a\\"": "\\u00e9\\\\"}',
])("%s is JSON", (text) => {
  expect(() => JSON.parse(text)).not.toThrow();
  expect(faultIn(text)).toBeUndefined();
});

test("a text has a fault exactly where it is no JSON", () => {
  const whole = '{"a": [1, "b\\n", {"c": null}], "d": -1.5e3}';
  const isJson = (text: string) => {
    try {
      return JSON.parse(text) !== undefined;
    } catch {
      return false;
    }
  };
  for (let at = 0; at <= whole.length; at++) {
    for (const put of ["", ",", '"', "}", "]", ":", "0", ".", "e", "\n", "\\"]) {
      for (const until of [at, at + 1]) {
        const text = whole.slice(0, at) + put + whole.slice(until);
        const fault = faultIn(text);
        expect([text, fault === undefined || fault.why === "twice"]).toEqual([text, isJson(text)]);
      }
    }
  }
});

test("a text that is nested or long is read in time", () => {
  expect(faultIn("[".repeat(1e5))).toMatchObject({ why: "cut", at: 1e5 });
  expect(faultIn(`{"a": "${"x\\n".repeat(1e6)}"`)).toMatchObject({ why: "cut" });
});

test("a part has a place", () => {
  const text = '{"deal": {"hands": [[1, 2],\n ["a"]]},\n "moves": ["b", "c"]}';
  const places = ["deal.hands[1]", "deal.hands[1][0]", "moves[1]", "moves", "result"].map((path) => {
    const at = partIn(text, path);
    return at === undefined ? undefined : lineAndColumn(text, at);
  });
  expect(places).toEqual([
    { line: 2, column: 2 },
    { line: 2, column: 3 },
    { line: 3, column: 17 },
    { line: 3, column: 2 },
    undefined,
  ]);
});
