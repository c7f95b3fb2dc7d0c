// The way to a figure, leg by leg.

import { middleOf, type Point } from "../art/outline";
import type { Figure, SchlossgartenView } from "../../../client/messages";
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

/**
 * Where the numbers of legs stand: where a pawn enters its last cell, beside each other, and beside what matters there:
 * the pawns in the middle of a cell and the dots in its lower right corner.
 */
export function numbersOf(legs: readonly Leg[]): (Point & { number: number })[] {
  const taken = new Set<string>();
  return legs.map(({ number, from, to }) => {
    const east = Math.sign(to.x - from.x);
    const south = Math.sign(to.y - from.y);
    const { x, y } = { x: to.x - east * 50, y: to.y - south * 50 };
    const spot = `${x} ${y} ${Math.abs(east + south)}`;
    const side = taken.has(spot) ? -1 : 1;
    taken.add(spot);
    if (!south) return { number, x, y: y + (side < 0 ? 36 : 0) };
    if (!east) return { number, x: x + (side < 0 ? 24 : -8), y };
    const along = east === south ? 1 : south;
    return { number, x: x + 16 * (east === south ? 1 : -along) * side, y: y + 16 * along * side };
  });
}

/** The marks whose pawn needs not move for a figure. */
export function placedIn(view: SchlossgartenView, { foreign, pawns }: Plan): string[] {
  return [...foreign, ...startsOf(view).flatMap(([mark, cell]) => (pawns[mark] === cell ? [mark] : []))];
}

function startsOf(view: SchlossgartenView): [string, string][] {
  return MARKS.map((mark, kind) => [mark, view.pawns[view.seat ?? 0]?.[kind] ?? ""]);
}
