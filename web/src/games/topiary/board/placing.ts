// A visitor that could be placed, and what it would see from there.

import type { Sight, TopiaryMove } from "../../../lib/messages";
import type { Line } from "./plan";

export interface Placing {
  say: string;
  /** What the tiles in hand will count for it. */
  inHand: number;
  sight: Sight & Line;
}

export function placingsOf(moves: readonly TopiaryMove[]): Placing[] {
  return moves.flatMap(({ say, points = null, sight, cells: [cell], heading }) =>
    sight && cell && heading
      ? [{ say, inHand: (points ?? sight.points) - sight.points, sight: { ...sight, cell, heading } }]
      : [],
  );
}
