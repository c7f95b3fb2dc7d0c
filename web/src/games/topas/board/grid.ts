// The grid without an end: squares by name, cards as the two squares they cover, and the drawing of squares.
// A square is 100 wide in a drawing; north is up.

import { HEADINGS } from "../../../core/board";
import type { Laid } from "../../../client/messages";
import { type Gems, gemsOf } from "../halves";

export interface Square {
  x: number;
  y: number;
}
export interface Half extends Gems {
  cell: string;
}
export interface Bounds {
  west: number;
  south: number;
  east: number;
  north: number;
}

export const SQUARE = 100;

export function squareOf(cell: string): Square {
  const [x = 0, y = 0] = cell.split(",").map(Number);
  return { x, y };
}

export function cellOf({ x, y }: Square): string {
  return `${x},${y}`;
}

export function neighbour(cell: string, heading: string, steps = 1): string {
  const [east, north] = HEADINGS[heading]!;
  const { x, y } = squareOf(cell);
  return cellOf({ x: x + east * steps, y: y + north * steps });
}

/** The two halves of a card whose first half lies on a square. */
export function halvesAt(card: string, cell: string, heading: string): [Half, Half] {
  const [first, second] = gemsOf(card);
  return [
    { cell, ...first },
    { cell: neighbour(cell, heading), ...second },
  ];
}

export function halvesOf(laid: Laid): [Half, Half] {
  return halvesAt(laid.card, cellOf(laid), laid.heading);
}

export function boundsOf(cells: readonly string[]): Bounds {
  const squares = cells.map(squareOf);
  const xs = squares.map(({ x }) => x);
  const ys = squares.map(({ y }) => y);
  return { west: Math.min(...xs), south: Math.min(...ys), east: Math.max(...xs), north: Math.max(...ys) };
}

/** The middle of a square in the drawing. */
export function drawn(cell: string): { cx: number; cy: number } {
  const { x, y } = squareOf(cell);
  return { cx: x * SQUARE, cy: -y * SQUARE };
}

/** A frame around squares in one line. */
export function frame(cells: readonly string[]): { x: number; y: number; width: number; height: number } {
  const { west, south, east, north } = boundsOf(cells);
  return {
    x: (west - 0.5) * SQUARE,
    y: (-north - 0.5) * SQUARE,
    width: (east - west + 1) * SQUARE,
    height: (north - south + 1) * SQUARE,
  };
}

const EDGES: Record<string, string> = { N: "m-50-50h100", E: "m50-50v100", S: "m50 50h-100", W: "m-50 50v-100" };

/** The outline of squares of any shape, as a path: the edges that no second one of them shares. */
export function outline(cells: readonly string[]): string {
  const inside = new Set(cells);
  return cells
    .flatMap((cell) => {
      const { cx, cy } = drawn(cell);
      const open = Object.keys(EDGES).filter((heading) => !inside.has(neighbour(cell, heading)));
      return open.map((heading) => `M${cx} ${cy}${EDGES[heading]}`);
    })
    .join("");
}

/** The corners of a card, and of a frame around it. */
const ROUND = 18;

/** A path around squares: a card or a row has round corners, as cards have. */
export function around(cells: readonly string[]): string {
  const { x, y, width, height } = frame(cells);
  if (new Set(cells).size < (width * height) / SQUARE ** 2) return outline(cells);
  const [wide, high] = [width - 2 * ROUND, height - 2 * ROUND];
  const turns = [
    `h${wide}q${ROUND} 0 ${ROUND} ${ROUND}`,
    `v${high}q0 ${ROUND} ${-ROUND} ${ROUND}`,
    `h${-wide}q${-ROUND} 0 ${-ROUND} ${-ROUND}`,
    `v${-high}q0 ${-ROUND} ${ROUND} ${-ROUND}`,
  ];
  return `M${x + ROUND} ${y}${turns.join("")}Z`;
}
