import { expect, test } from "vitest";
import { around, neighbour, boundsOf, cellOf, frame, halvesAt, outline, squareOf } from "./grid";

test("squares and their names are the same", () => {
  expect(squareOf("-3,12")).toEqual({ x: -3, y: 12 });
  expect(cellOf({ x: -3, y: 12 })).toBe("-3,12");
});

test("a neighbour lies where the heading leads, or behind", () => {
  expect(neighbour("0,0", "N")).toBe("0,1");
  expect(neighbour("0,0", "W", -2)).toBe("2,0");
});

test("a card covers two squares, each with its gems", () => {
  expect(halvesAt("B1G3", "2,-1", "S")).toEqual([
    { cell: "2,-1", colour: "B", gems: 1 },
    { cell: "2,-2", colour: "G", gems: 3 },
  ]);
});

test("the frame and the outline go around squares", () => {
  expect(boundsOf(["0,0", "1,0"])).toEqual({ west: 0, south: 0, east: 1, north: 0 });
  expect(frame(["0,0", "1,0"])).toEqual({ x: -50, y: -50, width: 200, height: 100 });
  // Two squares side by side have six open edges.
  expect(outline(["0,0", "1,0"]).match(/M/g)).toHaveLength(6);
});

test("a frame has round corners around a card or a row, and goes around a corner of squares", () => {
  expect(around(["0,0", "1,0"])).toBe("M-32 -50h164q18 0 18 18v64q0 18 -18 18h-164q-18 0 -18 -18v-64q0 -18 18 -18Z");
  expect(around(["0,0", "1,0", "1,1"])).toBe(outline(["0,0", "1,0", "1,1"]));
  expect(around(["0,0", "2,0"])).toBe(outline(["0,0", "2,0"]));
});
