import { expect, test } from "vitest";
import { apart } from "./board";

test("signs at the same place lie beside each other, and the others where they were", () => {
  const signs = [
    { x: 0, y: 0, label: "1" },
    { x: 10, y: 0, label: "2" },
    { x: 0, y: 0, label: "×" },
    { x: 0, y: 90, label: "★" },
  ];
  const placed = apart(signs, 50);
  expect(placed.map(({ label }) => label)).toEqual(["1", "2", "×", "★"]);
  expect(placed.map(({ x, y }) => [x, y])).toEqual([
    [0, 0],
    [60, 0],
    [150, 0],
    [0, 90],
  ]);
  expect(signs[1]!.x).toBe(10);
  expect(apart([signs[1]!, signs[1]!], 50, 5).map(({ x }) => x)).toEqual([10, -40]);
});
