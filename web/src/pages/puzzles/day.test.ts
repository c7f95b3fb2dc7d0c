import { expect, test } from "vitest";
import { need, speak } from "../../shell/words.svelte";
import { botThatTried, nextOf, pathOf } from "./day";

test("after the hardest puzzle of a day comes the easiest of the day before", () => {
  const grades = ["easy", "hard"] as const;
  const asked = { game: "lights", day: "2026-11-02", grade: "easy" } as const;
  const hard = nextOf(asked, grades, "2026-11-01");
  expect(hard && pathOf(hard)).toBe("/puzzles/lights/2026-11-02/hard");
  expect(hard && nextOf(hard, grades, "2026-11-01")).toEqual({ ...asked, day: "2026-11-01" });
  expect(hard && nextOf(hard, grades, "2026-11-02")).toBeUndefined();
});

test.each([
  ["en", "2 · Clover", "a search of 15 simulated games", "a search of 150 simulated games", "a bot that only looks"],
  [
    "fr",
    "2 · Trèfle",
    "une recherche de 15 parties simulées",
    "une recherche de 150 parties simulées",
    "un bot qui ne regarde",
  ],
  [
    "es",
    "2 · Trébol",
    "una búsqueda de 15 partidas simuladas",
    "una búsqueda de 150 partidas simuladas",
    "un bot que solo",
  ],
  [
    "de",
    "2 · Klee",
    "eine Suche mit 15 simulierten Spielen",
    "eine Suche mit 150 simulierten Spielen",
    "ein Bot, der nur",
  ],
] as const)("each bot that tried a puzzle is told apart in %s", async (language, level, few, many, next) => {
  await speak(language);
  await need("puzzles", "start");
  expect(["level2", "search:15", "search:150:threads=1"].map(botThatTried)).toEqual([level, few, many]);
  expect(botThatTried("greedy")).toContain(next);
});
