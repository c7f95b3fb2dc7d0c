// A visitor that could be placed, and what it would see from there.

import type { Sight, TopiaryMove } from "../../../lib/messages";
import type { Line } from "./plan";

export interface Placing {
  say: string;
  points: number | null;
  sight: Sight & Line;
}

export function placingsOf(moves: readonly TopiaryMove[]): Placing[] {
  return moves.flatMap(({ say, points = null, sight, cells: [cell], heading }) =>
    sight && cell && heading ? [{ say, points, sight: { ...sight, cell, heading } }] : [],
  );
}
