// What each square of the table offers to the card that is chosen, turned as it is.

import { TURNS } from "../art/layout";
import type { Row, TopasMove, TopasView } from "../../../client/messages";

/** The first half may lie here. */
export interface Fits {
  kind: "fits";
  cell: string;
  heading: string;
  cells: string[];
  move: TopasMove;
}
/** It may lie here once the card is turned to the heading. */
export interface Turned {
  kind: "turned";
  cell: string;
  heading: string;
}
/** A row would become too long: the line that forbids it. */
export interface Forbidden {
  kind: "forbidden";
  cell: string;
  cells: string[];
  row: Row;
}
export type Offer = Fits | Turned | Forbidden;

/** The headings in the order in which a card comes to them when it is turned on. */
export function onFrom(heading: string): string[] {
  const at = TURNS.indexOf(heading);
  return [1, 2, 3, 4].map((turns) => TURNS[(at + turns) % TURNS.length]!);
}

/** Every square that has something to say to a card, by its name. */
export function offers({ moves, forbidden }: TopasView, card: string, heading: string): Map<string, Offer> {
  const order = onFrom(heading);
  const found = new Map<string, Offer>();
  for (const { piece, heading: turned, cells, row } of forbidden) {
    const [cell = ""] = cells;
    if (piece === card && turned === heading) found.set(cell, { kind: "forbidden", cell, cells, row });
  }
  const own = moves.filter(({ piece }) => piece === card);
  for (const { cells, heading: needed } of own) {
    const [cell = ""] = cells;
    const before = found.get(cell);
    const sooner = before?.kind !== "turned" || order.indexOf(needed) < order.indexOf(before.heading);
    if (!before || sooner) found.set(cell, { kind: "turned", cell, heading: needed });
  }
  for (const move of own.filter((one) => one.heading === heading)) {
    const { cells } = move;
    const [cell = ""] = cells;
    found.set(cell, { kind: "fits", cell, heading, cells, move });
  }
  return found;
}
