import { expect, test } from "vitest";
import { runningMeans } from "./means";

test("a mean is of the last values, of fewer at the beginning", () => {
  expect(runningMeans([2, 4, 6, 8], 2)).toEqual([2, 3, 5, 7]);
  expect(runningMeans([3, 5], 10)).toEqual([3, 4]);
  expect(runningMeans([], 10)).toEqual([]);
});
