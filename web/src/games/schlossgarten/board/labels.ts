// What a cell is called by those who cannot see the board.

import { cellAt } from "../../../core/board";
import type { SchlossgartenView } from "../../../client/messages";
import { type Word, t } from "../words";
import { pawnOn, SIZE, type Worker } from "./pawns";

const LANDSCAPE = ["schlossgarten.gravel", "schlossgarten.shrubs", "schlossgarten.lawn"] as const;

/** The name of a garden element, like "maze". */
export function elementName(worker: string, size: number): string {
  return t(`schlossgarten.element_${worker as Worker}${size as 1 | 2 | 3}`);
}

export function pawnName(mark: string): string {
  return t(`schlossgarten.pawn_${mark as "K" | "G" | "A"}`);
}

/** Everything about a cell: what lies there, who stands there, what can be done. */
export function cellLabel(view: SchlossgartenView, names: string[], cell: string, work?: string): string {
  const pawn = pawnOn(view, cell);
  const parts = [`${cell}: ${groundOf(view, names, cell)}`];
  if (pawn) parts.push(t("schlossgarten.owned", { thing: pawnName(pawn.mark), name: names[pawn.seat] ?? "" }));
  if (work) parts.push(t(`schlossgarten.can_${work}` as Word));
  return parts.join(", ");
}

function groundOf(view: SchlossgartenView, names: string[], cell: string): string {
  const element = view.elements.find(({ cells }) => cells.includes(cell));
  if (element) {
    const thing = elementName(element.worker, element.size);
    return t("schlossgarten.owned", { thing, name: names[element.seat] ?? "" });
  }
  if (!view.up.includes(cell)) return t("schlossgarten.excavation");
  const value = valueOf(view, cell);
  return `${t(LANDSCAPE[value - 1] ?? LANDSCAPE[0])} ${value}`;
}

/** The points of the landscape tile of a cell. */
export function valueOf(view: SchlossgartenView, cell: string): number {
  const { column, row } = cellAt(cell);
  return view.values[row * SIZE + column] ?? 0;
}
