// What each square of the table offers to the card that is chosen, turned as it is.

import { TURNS } from "../../art/topas/layout";
import type { Row, Shut, TopasMove, TopasView } from "../../lib/messages";
import { beside, covered, type Half, halvesAt } from "./grid";
import { linesThrough } from "./rows";

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

interface Placement {
  card: string;
  cell: string;
  heading: string;
}

/** The parts of `B1G2@3,-1N`. */
export function placement(say: string): Placement {
  const [card = "", where = ""] = say.split("@");
  return { card, cell: where.slice(0, -1), heading: where.slice(-1) };
}

/** The headings in the order in which a card comes to them when it is turned on. */
export function onFrom(heading: string): string[] {
  const at = TURNS.indexOf(heading);
  return [1, 2, 3, 4].map((turns) => TURNS[(at + turns) % TURNS.length]!);
}

/** The line that is longest with the half in it. */
function longest(table: Map<string, Half>, half: Half): Row {
  return linesThrough(table, half).reduce((one, other) => (other.gems > one.gems ? other : one));
}

function forbidden(shut: Shut, card: string, heading: string, table: Map<string, Half>): Forbidden[] {
  return [0, 1].flatMap((steps) => {
    const cell = beside(shut.cell, heading, -steps);
    const halves = halvesAt(card, cell, heading);
    const half = halves[steps]!;
    const free = halves.every((one) => !table.has(one.cell));
    if (!free || half.colour !== shut.colour || half.gems <= shut.fits) return [];
    return [{ kind: "forbidden", cell, cells: halves.map((one) => one.cell), row: longest(table, half) }];
  });
}

/** Every square that has something to say to a card, by its name. */
export function offers(view: TopasView, card: string, heading: string): Map<string, Offer> {
  const table = covered(view.table);
  const order = onFrom(heading);
  const found = new Map<string, Offer>();
  const mine = view.moves.map((move) => ({ move, ...placement(move.say) })).filter((one) => one.card === card);
  for (const shut of view.shut) {
    for (const one of forbidden(shut, card, heading, table)) found.set(one.cell, one);
  }
  for (const one of mine) {
    const before = found.get(one.cell);
    const sooner = before?.kind !== "turned" || order.indexOf(one.heading) < order.indexOf(before.heading);
    if (!before || sooner) found.set(one.cell, { kind: "turned", cell: one.cell, heading: one.heading });
  }
  for (const { move, cell } of mine.filter((one) => one.heading === heading)) {
    found.set(cell, { kind: "fits", cell, heading, cells: move.cells, move });
  }
  return found;
}
