import { expect, test } from "vitest";
import { parsed, problems } from "./words.ts";

const WHOLE = { en: "{n, plural, one {# point} other {# points}}", fr: "{n}", es: "{n}", de: "{n}" };

test("a message in all four languages with the same placeholders is complete", () => {
  expect(problems("a.json", { points: WHOLE })).toEqual([]);
});

test("a language that is missing or empty is named", () => {
  const { en, fr, es } = WHOLE;
  expect(problems("a.json", { points: { en, fr, es } })).toEqual(["a.json: points has no de"]);
  expect(problems("a.json", { points: { ...WHOLE, fr: "" } })).toEqual(["a.json: points has no fr"]);
});

test("a translation that takes other values is named", () => {
  expect(problems("a.json", { points: { ...WHOLE, es: "{m}" } })).toEqual([
    "a.json: points takes {m} in es, but {n} in en",
  ]);
});

test("a message that can't be read is named", () => {
  expect(problems("a.json", { points: { ...WHOLE, de: "{n" } })[0]).toMatch(/^a\.json: points can't be read in de/);
});

test("a language that the page does not speak is named", () => {
  expect(problems("a.json", { points: { ...WHOLE, it: "{n}" } })).toEqual([
    "a.json: points has it, which the page does not speak",
  ]);
});

test("a message without values is the text that is shown", () => {
  expect(parsed("nobody's turn, '{'yet'}'")).toBe("nobody's turn, {yet}");
  expect(parsed("{n}")).toEqual([{ type: 1, value: "n" }]);
});
