// The way to a figure, leg by leg.

import { middleOf, type Point } from "../../art/schlossgarten/outline";
import type { Figure, SchlossgartenView } from "../../lib/messages";
import { MARKS } from "./pawns";

export interface Leg {
  number: number;
  from: Point;
  to: Point;
}

export function legsOf(view: SchlossgartenView, { path }: Figure): Leg[] {
  const at: Record<string, string> = Object.fromEntries(startsOf(view));
  return path.map((say, i) => {
    const [mark = "", cell = ""] = say.split(" ");
    const leg = { number: i + 1, from: middleOf(at[mark] ?? cell), to: middleOf(cell) };
    at[mark] = cell;
    return leg;
  });
}

/** The marks whose pawn needs not move for a figure. */
export function placedIn(view: SchlossgartenView, { foreign, pawns }: Figure): string[] {
  return [...foreign, ...startsOf(view).flatMap(([mark, cell]) => (pawns[mark] === cell ? [mark] : []))];
}

function startsOf(view: SchlossgartenView): [string, string][] {
  return MARKS.map((mark, kind) => [mark, view.pawns[view.seat ?? 0]?.[kind] ?? ""]);
}
