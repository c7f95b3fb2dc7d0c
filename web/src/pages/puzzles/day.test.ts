import { expect, test } from "vitest";
import { need, speak } from "../../shell/words.svelte";
import { foundWords, nextOf, pathOf } from "./day";

test("after the hardest puzzle of a day comes the easiest of the day before", () => {
  const grades = ["easy", "hard"] as const;
  const asked = { game: "lights", day: "2026-11-02", grade: "easy" } as const;
  const hard = nextOf(asked, grades, "2026-11-01");
  expect(hard && pathOf(hard)).toBe("/puzzles/lights/2026-11-02/hard");
  expect(hard && nextOf(hard, grades, "2026-11-01")).toEqual({ ...asked, day: "2026-11-01" });
  expect(hard && nextOf(hard, grades, "2026-11-02")).toBeUndefined();
});

test.each([
  ["en", ["level 2 · Clover never", "level 4 · Box 3 of 8 times", "level 6 · Yew always"]],
  ["fr", ["niveau 2 · Trèfle jamais", "niveau 4 · Buis 3 fois sur 8", "niveau 6 · If toujours"]],
  ["es", ["nivel 2 · Trébol nunca", "nivel 4 · Boj 3 de 8 veces", "nivel 6 · Tejo siempre"]],
  ["de", ["Stufe 2 · Klee nie", "Stufe 4 · Buchs 3-mal von 8", "Stufe 6 · Eibe immer"]],
] as const)("how often levels have found a puzzle is said in %s", async (language, said) => {
  await speak(language);
  await need("puzzles", "start");
  expect(foundWords({ greedy: 0.125, "search:15": 0.5, level2: 0, level4: 0.375, level6: 1 })).toEqual(said);
});
