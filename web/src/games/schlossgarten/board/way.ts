// The way to a figure, leg by leg.

import { middleOf, type Point } from "../art/outline";
import type { Figure, SchlossgartenView } from "../../../lib/messages";
import { MARKS } from "./pawns";

/** A figure that is to be formed, with what is still to be walked for it. */
export type Plan = Omit<Figure, "path">;

export interface Leg {
  number: number;
  from: Point;
  to: Point;
}

export function legsOf(view: SchlossgartenView, { data }: Plan): Leg[] {
  const at: Record<string, string> = Object.fromEntries(startsOf(view));
  return data.flatMap(({ pawn, to }, i) => {
    if (!pawn || !to) return [];
    const leg = { number: i + 1, from: middleOf(at[pawn] ?? to), to: middleOf(to) };
    at[pawn] = to;
    return leg;
  });
}

/** The marks whose pawn needs not move for a figure. */
export function placedIn(view: SchlossgartenView, { foreign, pawns }: Plan): string[] {
  return [...foreign, ...startsOf(view).flatMap(([mark, cell]) => (pawns[mark] === cell ? [mark] : []))];
}

function startsOf(view: SchlossgartenView): [string, string][] {
  return MARKS.map((mark, kind) => [mark, view.pawns[view.seat ?? 0]?.[kind] ?? ""]);
}
