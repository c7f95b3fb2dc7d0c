import { expect, test } from "vitest";
import { byKind, factsOf, type GenericView, gridOf, movesAt } from "./view";

const VIEW: GenericView = {
  game: "lights",
  viewer: 0,
  seat: 0,
  over: false,
  scores: [1, 2],
  lamps: { a1: "on", b2: "off" },
  heights: [1, 2, 3, 4, 5, 6],
  hand: ["sun", "moon"],
  hand_sizes: [2, 3],
  secret: null,
  moves: [
    { say: "sun a1", piece: "sun", cells: ["a1"], points: 2 },
    { say: "sun c2", piece: "sun", cells: ["c2"] },
    { say: "pass" },
    { say: "x", kind: "swap", cells: ["a1", "b1"] },
  ],
};

test("the grid holds every cell that is named, north at the top, and what lies there", () => {
  const grid = gridOf(VIEW)!;
  expect(grid.rows).toEqual([
    ["a2", "b2", "c2"],
    ["a1", "b1", "c1"],
  ]);
  expect(grid.holds.get("a1")).toBe("on 1");
  expect(grid.holds.get("c2")).toBe("6");
});

test("a game without cells has no grid", () => {
  expect(gridOf({ ...VIEW, lamps: {}, moves: [{ say: "pass" }] })).toBeUndefined();
});

test("moves are grouped by kind, or by piece", () => {
  expect(byKind(VIEW.moves!).map(([kind, moves]) => [kind, moves.length])).toEqual([
    ["sun", 2],
    ["", 1],
    ["swap", 1],
  ]);
  expect(movesAt(VIEW.moves!, "a1").map(({ say }) => say)).toEqual(["sun a1", "x"]);
});

test("everything else is a fact, and nothing is said of what is empty or lies on the grid", () => {
  expect(factsOf(VIEW, gridOf(VIEW))).toEqual([
    ["hand", "sun, moon"],
    ["hand sizes", "2, 3"],
  ]);
});
