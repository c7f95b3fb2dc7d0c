import { expect, test } from "vitest";
import common from "../words/common.json";
import start from "../words/start.json";
import { GIVEN_NAMES, NAME_LENGTH } from "./name.svelte";

const LANGUAGES = ["en", "fr", "es", "de"] as const;

test.each(LANGUAGES)("the garden names in %s are different, fit, and are those of no bot", (language) => {
  const names = common.garden_names[language].split(", ");
  expect(names).toHaveLength(GIVEN_NAMES);
  expect(new Set(names).size).toBe(GIVEN_NAMES);
  expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(NAME_LENGTH);
  const bots = Object.entries(start).flatMap(([key, words]) =>
    key.startsWith("bot_level") ? LANGUAGES.map((one) => (words as Record<string, string>)[one]) : [],
  );
  expect(bots).toHaveLength(24);
  expect(names.filter((name) => bots.includes(name))).toEqual([]);
});
