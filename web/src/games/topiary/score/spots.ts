// Where visitors stand around the garden: a spot in front of each line that begins at its edge. They stand further
// apart than on the board of a game, since here each of them can be tapped at any time.

import { CELLS, type Line, middle, type Point } from "../board/plan";
import { cellAt, cellName, HEADINGS } from "../../../core/board";

/** Something of the garden that can be chosen: a cell, or the spot of a line like `c1N`. */
export interface Place extends Point {
  name: string;
}

export interface Spot extends Place, Line {}

const WIDTH = 5;
/** From the middle of an edge cell to its spots: out of the garden, and along its edge to those of the diagonals. */
const OUT = 96;
const ALONG = 39;

export const CELL_PLACES: Place[] = CELLS.map((name) => ({ name, ...middle(name) }));

export const SPOTS: Spot[] = CELLS.flatMap((cell) =>
  Object.keys(HEADINGS)
    .filter((heading) => isInside(cell, heading, 1) && !isInside(cell, heading, -1))
    .map((heading) => spot(cell, heading)),
);

/** The cells that a visitor at a spot looks across. */
export function cellsOf({ cell, heading }: Line): string[] {
  const cells: string[] = [];
  for (let steps = 0; isInside(cell, heading, steps); steps++) cells.push(cellAfter(cell, heading, steps));
  return cells;
}

function spot(cell: string, heading: string): Spot {
  const [east, north] = stepOf(heading);
  const { column, row } = cellAt(cell);
  const { x, y } = middle(cell);
  return { name: cell + heading, cell, heading, x: x - away(column, east), y: y + away(row, north) };
}

/** How far a spot stands off the middle of its cell, along one axis. */
function away(at: number, step: number): number {
  return step * (at - step < 0 || at - step >= WIDTH ? OUT : ALONG);
}

function isInside(cell: string, heading: string, steps: number): boolean {
  return CELLS.includes(cellAfter(cell, heading, steps));
}

function cellAfter(cell: string, heading: string, steps: number): string {
  const [east, north] = stepOf(heading);
  const { column, row } = cellAt(cell);
  return cellName(column + steps * east, row + steps * north);
}

function stepOf(heading: string): [number, number] {
  return HEADINGS[heading] ?? [0, 0];
}
