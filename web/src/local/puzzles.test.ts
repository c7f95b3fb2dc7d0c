import { expect, test } from "vitest";
import { gradesOf, puzzleOf, readStock, repeatsAfter } from "./puzzles";

const HEAD = { format: "bosquet-puzzles/1", games: ["lights"], seed: 1 };

function fileOf(grades: readonly string[], head: object = HEAD): string {
  return [head, ...grades.map((grade, n) => ({ id: String(n), grade }))]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

test("the puzzles of a grade follow each other day by day, and then again", () => {
  const stock = readStock(fileOf(["hard", "easy", "hard", "hard"]));
  const ids = ["2026-11-01", "2026-11-02", "2026-11-03", "2026-11-04", "2026-10-31"].map(
    (day) => puzzleOf(stock, { day, grade: "hard" })?.id,
  );
  expect(ids).toEqual(["0", "2", "3", "0", "3"]);
  expect(puzzleOf(stock, { day: "2026-12-24", grade: "easy" })?.id).toBe("1");
  expect(puzzleOf(stock, { day: "2026-12-24", grade: "medium" })).toBeUndefined();
  expect([gradesOf(stock), repeatsAfter(stock)]).toEqual([["easy", "hard"], 1]);
});

test("another file is refused", () => {
  expect(() => readStock(fileOf(["easy"], { format: "bosquet-puzzles/2" }))).toThrow("bosquet-puzzles/1");
});
