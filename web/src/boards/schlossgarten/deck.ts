// The constellation cards, and how the pawns in the garden stand to them.

import house from "../../../../src/bosquet/games/constellations.json";
import { cellAt, cellName } from "../../lib/board";
import type { SchlossgartenView } from "../../lib/messages";
import { MARKS, SIZE } from "./pawns";

const HOUSE = new Map(house.cards.map(({ id, rows }) => [id, rows]));
export const ROTATIONS = [0, 1, 2, 3];

/** The pattern of a card: three rows of three marks, north to south. */
export function rowsOf(view: SchlossgartenView, card: number): string[] {
  return view.deck?.[card - 1] ?? HOUSE.get(card) ?? [];
}

/** A card in one of its four turns, laid over the garden with its king on a player's king. */
export interface Turned {
  rotation: number;
  /** Where each mark falls; a cell outside the garden is left out. */
  cells: Record<string, string>;
  /** Marks where such a pawn stands. */
  placed: string[];
}

export function turnsOf(view: SchlossgartenView, card: number, seat: number): Turned[] {
  const rows = rowsOf(view, card);
  const king = view.pawns[seat]?.[0];
  if (!king || !rows.length) return [];
  return ROTATIONS.map((rotation) => {
    const cells = laid(rows, rotation, king);
    const placed = MARKS.filter((mark, kind) => mark in cells && view.pawns.some((own) => own[kind] === cells[mark]));
    return { rotation, cells, placed };
  });
}

function laid(rows: string[], rotation: number, king: string): Record<string, string> {
  const [kingEast, kingNorth] = placeOf(rows, "K");
  const { column, row } = cellAt(king);
  const cells: Record<string, string> = {};
  for (const mark of MARKS) {
    let [east, north] = placeOf(rows, mark);
    [east, north] = [east - kingEast, north - kingNorth];
    for (let i = 0; i < rotation; i++) [east, north] = [north, -east];
    const inside = [column + east, row + north].every((at) => at >= 0 && at < SIZE);
    if (inside) cells[mark] = cellName(column + east, row + north);
  }
  return cells;
}

/** How far east and north a mark lies on its card. */
function placeOf(rows: string[], mark: string): [number, number] {
  const at = rows.join("").indexOf(mark);
  return [at % 3, -Math.floor(at / 3)];
}
