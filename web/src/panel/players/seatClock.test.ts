import { expect, test } from "vitest";
import { digits, leftOf, toldAt } from "./seatClock";

const TIMES = { left: [60_000, 90_000], since: "2026-01-01T00:00:01.000Z", now: "2026-01-01T00:00:00.000Z" };

test("a clock runs from the moment that the server says, and no other one does", () => {
  expect(leftOf(TIMES, 0, true, 500)).toBe(60_000); // the first second is not counted
  expect(leftOf(TIMES, 0, true, 31_000)).toBe(30_000);
  expect(leftOf(TIMES, 0, true, 99_000)).toBe(0);
  expect(leftOf(TIMES, 1, false, 31_000)).toBe(90_000);
  expect(leftOf({ ...TIMES, since: null }, 0, true, 31_000)).toBe(60_000);
});

test("zero is shown only when nothing is left", () => {
  expect([0, 1, 59_001, 60_000, 754_200, 10_800_000].map(digits)).toEqual([
    "0:00",
    "0:01",
    "1:00",
    "1:00",
    "12:35",
    "180:00",
  ]);
});

test("thirty and ten seconds are told once, and one of them where both are over", () => {
  expect(toldAt(31_000, 30_000)).toBe(30);
  expect(toldAt(30_000, 29_000)).toBeUndefined();
  expect(toldAt(12_000, 9_900)).toBe(10);
  expect(toldAt(40_000, 5_000)).toBe(10);
});
