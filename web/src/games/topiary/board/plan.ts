// Where everything of the garden lies: a square drawing with y to the south, tiles with gaps, visitors around them.

import { cellAt, cellName, HEADINGS } from "../../../core/board";

export const TILE = 100;
const GAP = 16;
const PITCH = TILE + GAP;
const MARGIN = 92;
const WIDTH = 5;
/** How far from the middle of its last cell a sum is written. */
const OUT = 130;
/** Side of the whole drawing. */
export const SIDE = 2 * MARGIN + WIDTH * TILE + (WIDTH - 1) * GAP;

export const CELLS: readonly string[] = Array.from({ length: WIDTH * WIDTH }, (_, i) =>
  cellName(i % WIDTH, Math.floor(i / WIDTH)),
);

export interface Point {
  x: number;
  y: number;
}

/** The same cells as they are drawn: a high sculpture stands before what lies north of it. */
export const FROM_NORTH: readonly string[] = CELLS.toSorted((one, other) => Number(other[1]) - Number(one[1]));

/** Where paths cross between four beds. */
export const CROSSINGS: readonly Point[] = Array.from({ length: (WIDTH - 1) ** 2 }, (_, i) => ({
  x: MARGIN - GAP / 2 + PITCH * (1 + (i % (WIDTH - 1))),
  y: MARGIN - GAP / 2 + PITCH * (1 + Math.floor(i / (WIDTH - 1))),
}));

/** How the lawn of a bed is mown: the garden looks the same from all sides, and neighbours do not look alike. */
export function mownAt(cell: string): number {
  const { column, row } = cellAt(cell);
  return (Math.abs(column - 2) + Math.abs(row - 2)) % 3;
}

/** The middle of a cell. */
export function middle(cell: string): Point {
  const { column, row } = cellAt(cell);
  return { x: MARGIN + column * PITCH + TILE / 2, y: MARGIN + (WIDTH - 1 - row) * PITCH + TILE / 2 };
}

/** A sight line: the cell at which it begins, and where it heads. */
export interface Line {
  cell: string;
  heading: string;
}

export interface Sightline extends Line {
  /** Where its visitor stands, outside of its first cell. */
  spot: Point;
  /** Where it leaves the garden. */
  end: Point;
  /** Where its sum is written: outside of everything that may stand at its end. */
  sum: Point;
  /** Degrees clockwise from north. */
  turn: number;
  diagonal: boolean;
}

export function sightline({ cell, heading }: Line): Sightline {
  const [east, north] = HEADINGS[heading] ?? [0, 1];
  const diagonal = east !== 0 && north !== 0;
  const from = middle(cell);
  // Diagonals begin in a gap between two straight spots, and stand nearer; two that share a gap stand apart.
  const side = { x: isOutside(from.x - east * PITCH), y: isOutside(from.y + north * PITCH) };
  const back = (outside: boolean) => (!diagonal ? 91 : outside ? 76 : 82);
  const cells = reach(cell, east, north) - 1;
  const ahead = PITCH * cells + (diagonal ? 66 : 74);
  const last = { x: from.x + east * PITCH * cells, y: from.y - north * PITCH * cells };
  return {
    cell,
    heading,
    spot: { x: from.x - east * back(side.x), y: from.y + north * back(side.y) },
    end: { x: from.x + east * ahead, y: from.y - north * ahead },
    sum: diagonal ? beyondCorner(last, east, north) : { x: last.x + east * OUT, y: last.y - north * OUT },
    turn: (Math.atan2(east, north) * 180) / Math.PI,
    diagonal,
  };
}

/** A diagonal may leave the garden through a side or through a corner of it. */
function beyondCorner({ x, y }: Point, east: number, north: number): Point {
  const side = { x: isOutside(x + east * PITCH), y: isOutside(y - north * PITCH) };
  const corner = side.x && side.y;
  const out = (leaves: boolean) => (corner ? 108 : leaves ? OUT : 66);
  return { x: x + east * out(side.x), y: y - north * out(side.y) };
}

function isOutside(at: number): boolean {
  return at < MARGIN || at > SIDE - MARGIN;
}

/** How many cells lie in a direction, the first one counted. */
export function reach(cell: string, east: number, north: number): number {
  let { column, row } = cellAt(cell);
  let cells = 0;
  while (column >= 0 && column < WIDTH && row >= 0 && row < WIDTH) {
    cells += 1;
    column += east;
    row += north;
  }
  return cells;
}

/** Of some places, the nearest one to a point. */
export function nearestTo<Place extends Point>(places: Place[], { x, y }: Point): Place | undefined {
  const far = (place: Place) => Math.hypot(place.x - x, place.y - y);
  return places.toSorted((one, other) => far(one) - far(other))[0];
}

/** Of some places, the nearest one in the direction of an arrow key; undefined if there is none. */
export function nextPlace<Place extends Point>(places: Place[], from: Point, key: string): Place | undefined {
  const [east, south] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
  const cost = (place: Place) => {
    const along = (place.x - from.x) * (east ?? 0) + (place.y - from.y) * (south ?? 0);
    const aside = Math.abs((place.x - from.x) * (south ?? 0)) + Math.abs((place.y - from.y) * (east ?? 0));
    return along > 4 ? along + 2 * aside : Number.POSITIVE_INFINITY;
  };
  const best = places.toSorted((one, other) => cost(one) - cost(other))[0];
  return best && cost(best) < Number.POSITIVE_INFINITY ? best : undefined;
}
