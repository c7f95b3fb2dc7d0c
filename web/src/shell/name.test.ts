import { expect, test } from "vitest";
import common from "../words/common.json";
import start from "../words/start.json";
import { GIVEN_NAMES, NAME_LENGTH, visitor } from "./name.svelte";

const LANGUAGES = ["en", "fr", "es", "de"] as const;

test.each(LANGUAGES)("the garden names in %s are different, fit, and are those of no bot", (language) => {
  const names = common.garden_names[language].split(", ");
  expect(names).toHaveLength(GIVEN_NAMES);
  expect(new Set(names).size).toBe(GIVEN_NAMES);
  expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(NAME_LENGTH);
  const bots = Object.entries(start).flatMap(([key, words]) =>
    key.startsWith("bot_") ? LANGUAGES.map((one) => (words as Record<string, string>)[one]) : [],
  );
  expect(bots).toHaveLength(28);
  expect(names.filter((name) => bots.includes(name))).toEqual([]);
});

test("the name of all devices is taken over, unless this one was given another name since", () => {
  visitor.forget();
  expect(visitor.meet("Ann")).toBe(false);
  expect(visitor.chosen).toBe("Ann");
  expect(visitor.meet("Anna")).toBe(false); // renamed on another device
  expect(visitor.chosen).toBe("Anna");
  visitor.chosen = "Annette"; // renamed here
  expect(visitor.meet("Anna")).toBe(true);
  expect(visitor.chosen).toBe("Annette");
  visitor.share("Annette");
  expect(visitor.meet("Annette")).toBe(false);
  expect(visitor.meet(null)).toBe(false);
});
