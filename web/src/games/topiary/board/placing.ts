// A visitor that could be placed, and what it would see from there.

import type { Sight, TopiaryMove } from "../../../client/messages";
import type { Line } from "./plan";

/** A sight line; what is seen along it where that is shown. */
export type Along = Line & Pick<Sight, "line"> & Partial<Sight>;

export interface Placing {
  say: string;
  /** What the tiles in hand will count for it. */
  inHand: number;
  sight: Along;
}

export function placingsOf(moves: readonly TopiaryMove[]): Placing[] {
  return moves.flatMap(({ say, points, sight, cells: [cell], heading }) =>
    cell && heading
      ? [
          {
            say,
            inHand: sight ? (points ?? sight.points) - sight.points : 0,
            sight: { line: say, ...sight, cell, heading },
          },
        ]
      : [],
  );
}
