// The outline of a few neighbouring cells as one rounded path, in units of 100 a cell; a7 lies at the origin.

import { cellAt } from "../../../core/board";

export const CELL = 100;
const NORTH_ROW = 6;

export interface Point {
  x: number;
  y: number;
}

/** The north-west corner of a cell. */
export function cornerOf(cell: string): Point {
  const { column, row } = cellAt(cell);
  return { x: column * CELL, y: (NORTH_ROW - row) * CELL };
}

/** The middle of one cell, or the middle of gravity of several. */
export function middleOf(...cells: string[]): Point {
  const corners = cells.map(cornerOf);
  const mean = (pick: (corner: Point) => number) => corners.reduce((sum, one) => sum + pick(one), 0) / corners.length;
  return { x: mean((one) => one.x) + CELL / 2, y: mean((one) => one.y) + CELL / 2 };
}

/** The path around cells that hang together, drawn `inset` inside their edge with corners of `radius`. */
export function outline(cells: string[], inset: number, radius: number): string {
  return rounded(shrunk(boundary(cells), inset), radius);
}

/** The corners of the shape, clockwise on the screen, without those on a straight line. */
function boundary(cells: string[]): Point[] {
  const taken = new Set(cells);
  const next = new Map<string, Point>();
  const edge = (from: Point, to: Point) => next.set(`${from.x} ${from.y}`, to);
  for (const cell of taken) {
    const { x, y } = cornerOf(cell);
    const [nw, ne, se, sw] = [
      { x, y },
      { x: x + CELL, y },
      { x: x + CELL, y: y + CELL },
      { x, y: y + CELL },
    ] as const;
    const { column, row } = cellAt(cell);
    const free = (east: number, north: number) =>
      !taken.has(`${String.fromCharCode(97 + column + east)}${row + 1 + north}`);
    if (free(0, 1)) edge(nw, ne);
    if (free(1, 0)) edge(ne, se);
    if (free(0, -1)) edge(se, sw);
    if (free(-1, 0)) edge(sw, nw);
  }
  return corners([...follow(next)]);
}

function* follow(next: Map<string, Point>): Generator<Point> {
  const start = next.values().next().value;
  let at = start;
  while (at) {
    yield at;
    at = next.get(`${at.x} ${at.y}`);
    if (at && start && at.x === start.x && at.y === start.y) return;
  }
}

function corners(points: Point[]): Point[] {
  return points.filter((point, i) => {
    const before = points.at(i - 1)!;
    const after = points[(i + 1) % points.length]!;
    return !(before.x === point.x && point.x === after.x) && !(before.y === point.y && point.y === after.y);
  });
}

function shrunk(points: Point[], inset: number): Point[] {
  return points.map((point, i) => {
    const [a, b] = [inward(points.at(i - 1)!, point), inward(point, points[(i + 1) % points.length]!)];
    return { x: point.x + inset * (a.x + b.x), y: point.y + inset * (a.y + b.y) };
  });
}

function inward(from: Point, to: Point): Point {
  return { x: -Math.sign(to.y - from.y), y: Math.sign(to.x - from.x) };
}

function rounded(points: Point[], radius: number): string {
  const towards = (from: Point, to: Point) =>
    `${from.x + Math.sign(to.x - from.x) * radius} ${from.y + Math.sign(to.y - from.y) * radius}`;
  const bends = points.map((point, i) => {
    const before = points.at(i - 1)!;
    const after = points[(i + 1) % points.length]!;
    return `${towards(point, before)}Q${point.x} ${point.y} ${towards(point, after)}`;
  });
  return `M${bends.join("L")}Z`;
}
