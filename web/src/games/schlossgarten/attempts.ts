// What can be tried where no moves are sent: all that the pieces let a hand do in a phase, legal or not. Only where an
// own pawn stands that can be picked up nothing else is put.

import { cellAt, cellName } from "../../core/board";
import type { SchlossgartenMove, SchlossgartenView } from "../../server/messages";
import { MARKS, pawnOn, ROWS, SIZE, type Worker } from "./board/pawns";

const CELLS = ROWS.flat();
const WORKERS: readonly Worker[] = ["G", "A"];

type Step = readonly [east: number, north: number];
const [HERE, EAST, NORTH, NORTHEAST] = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;
/** The cells of each shape of an element: one, two, and three of a square. */
const SHAPES: Step[][] = [
  [HERE],
  [HERE, EAST],
  [HERE, NORTH],
  [HERE, EAST, NORTH],
  [HERE, EAST, NORTHEAST],
  [HERE, NORTH, NORTHEAST],
  [EAST, NORTH, NORTHEAST],
];
const SITES = SHAPES.flatMap((shape) => CELLS.flatMap((cell) => siteAt(cell, shape) ?? []));

export default function attempts(view: SchlossgartenView): SchlossgartenMove[] {
  const own = view.pawns[view.seat ?? -1] ?? [];
  const workers = own.filter((_, kind) => WORKERS.includes(MARKS[kind] as Worker));
  switch (view.phase) {
    case "card":
      return (view.hand ?? []).map((card) => ({ say: `card ${card}`, kind: "card", piece: `${card}`, cells: [] }));
    case "move":
      return [
        ...MARKS.flatMap((mark) => without(own).flatMap((cell) => steps(view, mark, cell))),
        { say: "stop", kind: "stop", cells: [] },
      ];
    case "work":
      return [...digs(without(workers)), ...builds(workers), { say: "end", kind: "end", cells: [] }];
    case "build":
      return [...builds(workers), { say: "end", kind: "end", cells: [] }];
    default:
      return [];
  }
}

function without(closed: string[]): string[] {
  return CELLS.filter((cell) => !closed.includes(cell));
}

/** A pawn onto a cell; where a subject stands whose owner has an element, it is sent away, to any cell. */
function steps(view: SchlossgartenView, mark: string, cell: string): SchlossgartenMove[] {
  const made = { piece: mark, pawn: mark, cells: [cell], to: cell };
  const hit = pawnOn(view, cell);
  if (!hit || hit.mark === "K" || !view.elements.some(({ seat }) => seat === hit.seat)) {
    return [{ say: `${mark} ${cell}`, kind: "step", ...made }];
  }
  return without([cell]).map((refuge) => ({ say: `${mark} ${cell} hit ${refuge}`, kind: "hit", ...made, refuge }));
}

function digs(cells: string[]): SchlossgartenMove[] {
  return WORKERS.flatMap((mark) =>
    cells.map((cell) => ({ say: `${mark} dig ${cell}`, kind: "dig" as const, piece: mark, pawn: mark, cells: [cell] })),
  );
}

function builds(closed: string[]): SchlossgartenMove[] {
  const sites = SITES.filter((cells) => !cells.some((cell) => closed.includes(cell)));
  return WORKERS.flatMap((mark) =>
    sites.map((cells) => ({
      say: [mark, "build", cells.length, ...cells].join(" "),
      kind: "build" as const,
      piece: `${mark}${cells.length}`,
      pawn: mark,
      cells,
    })),
  );
}

/** The cells of a shape from a cell on, by column, then row; nothing where it does not fit into the garden. */
function siteAt(cell: string, shape: Step[]): [string[]] | undefined {
  const { column, row } = cellAt(cell);
  const places = shape.map(([east, north]) => ({ column: column + east, row: row + north }));
  if (places.some((at) => at.column >= SIZE || at.row >= SIZE)) return undefined;
  const inOrder = places.toSorted((one, other) => one.column - other.column || one.row - other.row);
  return [inOrder.map((at) => cellName(at.column, at.row))];
}
