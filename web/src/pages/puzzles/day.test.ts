import { expect, test } from "vitest";
import { nextOf, pathOf } from "./day";

test("after the hardest puzzle of a day comes the easiest of the day before", () => {
  const grades = ["easy", "hard"] as const;
  const asked = { game: "lights", day: "2026-11-02", grade: "easy" } as const;
  const hard = nextOf(asked, grades, "2026-11-01");
  expect(hard && pathOf(hard)).toBe("/puzzles/lights/2026-11-02/hard");
  expect(hard && nextOf(hard, grades, "2026-11-01")).toEqual({ ...asked, day: "2026-11-01" });
  expect(hard && nextOf(hard, grades, "2026-11-02")).toBeUndefined();
});
