import { expect, test } from "vitest";
import { type Leg, numbersOf } from "./way";

/** The radius of a number, and of a pawn. */
const [NUMBER, PAWN] = [15, 32];
const CELLS = [0, 1, 2].flatMap((column) => [0, 1, 2].map((row) => ({ x: 50 + 100 * column, y: 50 + 100 * row })));

test.each<[string, [number, number, number, number][]]>([
  [
    "one step in each direction",
    [
      [1, 1, 2, 2],
      [1, 1, 0, 0],
      [1, 1, 2, 0],
      [1, 1, 0, 2],
      [1, 1, 1, 0],
      [1, 1, 0, 1],
    ],
  ],
  [
    "two ways that cross",
    [
      [0, 2, 1, 1],
      [0, 1, 1, 2],
    ],
  ],
  [
    "there and back on the level",
    [
      [0, 0, 1, 0],
      [1, 0, 0, 0],
    ],
  ],
  [
    "there and back upright",
    [
      [0, 0, 0, 1],
      [0, 1, 0, 0],
    ],
  ],
  ["a jump over a pawn", [[0, 0, 2, 0]]],
])("the numbers of %s cover no pawn and no other number", (_, ways) => {
  const legs: Leg[] = ways.map(([a, b, c, d], i) => ({
    number: i + 1,
    from: { x: 50 + 100 * a, y: 50 + 100 * b },
    to: { x: 50 + 100 * c, y: 50 + 100 * d },
  }));
  const numbers = numbersOf(legs);
  for (const one of numbers) {
    for (const cell of CELLS) expect(Math.hypot(one.x - cell.x, one.y - cell.y)).toBeGreaterThanOrEqual(NUMBER + PAWN);
    for (const other of numbers.slice(one.number)) {
      expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThanOrEqual(2 * NUMBER);
    }
  }
});
