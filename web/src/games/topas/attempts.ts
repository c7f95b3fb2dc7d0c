// What can be tried where no moves are sent: any card in hand, on any square around the table, in any of its four turns.

import type { TopasMove, TopasView } from "../../server/messages";
import { TURNS } from "./art/layout";
import { boundsOf, cellOf, halvesOf, neighbour } from "./board/grid";

/** The first half of a card may lie so far from the table, where the second one touches it. */
const AROUND = 2;

export default function attempts({ phase, hand, table }: TopasView): TopasMove[] {
  if (phase !== "lay") return [];
  const squares = squaresAround(table.flatMap((laid) => halvesOf(laid).map(({ cell }) => cell)));
  return (hand ?? []).flatMap((card) =>
    squares.flatMap((cell) =>
      TURNS.map((heading) => ({
        say: `${card}@${cell}${heading}`,
        piece: card,
        cells: [cell, neighbour(cell, heading)],
        heading,
      })),
    ),
  );
}

function squaresAround(cells: string[]): string[] {
  const { west, south, east, north } = boundsOf(cells);
  const wide = east - west + 1 + 2 * AROUND;
  const high = north - south + 1 + 2 * AROUND;
  return Array.from({ length: wide * high }, (_, i) =>
    cellOf({ x: west - AROUND + (i % wide), y: south - AROUND + Math.floor(i / wide) }),
  );
}
