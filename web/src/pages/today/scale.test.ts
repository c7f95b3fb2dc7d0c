import { expect, test } from "vitest";
import { barsOf, lanesOf } from "./scale";

test("every result is in one bar", () => {
  const scores = [-30, -2, 0, 7, 44].map((value, i) => ({ value, players: i + 1 }));
  for (const [least, most] of [
    [-30, 44],
    [-30, 120],
  ] as const) {
    const bars = barsOf(scores, least, most);
    expect(bars.length).toBeLessThanOrEqual(25);
    expect(bars.reduce((sum, { players }) => sum + players, 0)).toBe(15);
    expect(bars[0]?.from).toBe(least);
    expect(bars.at(-1)?.to).toBe(most);
  }
  expect(barsOf(scores.slice(2, 3), 0, 0)).toEqual([{ from: 0, to: 0, players: 3 }]);
});

test("labels in one lane are apart", () => {
  const labels = [10, 20, 30, 90, 95].map((x) => ({ x, width: 18 }));
  expect(lanesOf(labels, 4)).toEqual([0, 1, 2, 0, 1]);
});
