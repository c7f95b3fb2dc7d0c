import { beforeEach, expect, test } from "vitest";
import type { KeptPuzzle } from "../client/messages";
import { device } from "../shell/store";
import { answers, dayBefore, isAnswer, isDay, keepAnswers, solved, streak } from "./puzzleAnswers";

beforeEach(() => device.clear());

function answer(day: string, changes: Partial<KeptPuzzle> = {}): KeptPuzzle {
  return { game: "lights", day, grade: "easy", solved: true, on_day: true, ...changes };
}

test("the first answer to a puzzle is kept, and no later one", () => {
  expect(keepAnswers([answer("2026-11-02"), answer("2026-11-01")])).toBe(2);
  expect(keepAnswers([answer("2026-11-02", { solved: false })])).toBe(0);
  expect(answers().map(({ day }) => day)).toEqual(["2026-11-01", "2026-11-02"]);
  expect(solved({ game: "lights", day: "2026-11-02", grade: "easy" })).toBe(true);
  expect(solved({ game: "lights", day: "2026-11-02", grade: "hard" })).toBe(null);
});

test("what somebody has changed is left out", () => {
  const wrong = [null, 7, {}, answer("2026-13-01"), { ...answer("2026-11-01"), grade: "trivial" }];
  device.set("bosquet.answers", JSON.stringify([...wrong, answer("2026-11-03")]));
  expect(answers()).toEqual([answer("2026-11-03")]);
  device.set("bosquet.answers", "{");
  expect(answers()).toEqual([]);
  expect(wrong.some(isAnswer)).toBe(false);
});

test("a streak counts days on which one of their puzzles was solved", () => {
  const list = [
    answer("2026-11-08"),
    answer("2026-11-09", { solved: false }),
    answer("2026-11-09", { grade: "hard" }),
    answer("2026-11-10"),
    answer("2026-11-11", { on_day: false }),
  ];
  expect(streak("2026-11-10", list)).toBe(3);
  expect(streak("2026-11-11", list)).toBe(3);
  expect(streak("2026-11-12", list)).toBe(0);
});

test("days are days of UTC", () => {
  expect(dayBefore("2026-03-01")).toBe("2026-02-28");
  expect(["2026-02-29", "2026-2-9", "20261109", "today", ""].filter(isDay)).toEqual([]);
});
