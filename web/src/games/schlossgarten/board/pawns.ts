// The pawns of the garden: their marks, and who stands where.

import { cellName } from "../../../core/board";
import type { SchlossgartenView } from "../../../client/messages";

export const SIZE = 7;
export const MARKS = ["K", "G", "A"] as const;
export type Mark = (typeof MARKS)[number];
export type Worker = "G" | "A";

/** All cells, row by row from the north. */
export const ROWS = Array.from({ length: SIZE }, (_, i) =>
  Array.from({ length: SIZE }, (_, column) => cellName(column, SIZE - 1 - i)),
);

export interface Standing {
  seat: number;
  mark: Mark;
  cell: string;
}

export function pawnsOf(view: SchlossgartenView): Standing[] {
  return view.pawns.flatMap((cells, seat) => cells.map((cell, kind) => ({ seat, mark: MARKS[kind]!, cell })));
}

export function pawnOn(view: SchlossgartenView, cell: string): Standing | undefined {
  return pawnsOf(view).find((pawn) => pawn.cell === cell);
}
