// What can be tried where no moves are sent: all that the pieces let a hand do in a phase, legal or not.

import { HEADINGS } from "../../core/board";
import type { TopiaryMove, TopiaryView } from "../../server/messages";
import { CELLS, reach } from "./board/plan";

/** Of the tiles in hand, so many are kept in the draft. */
const KEPT = 3;

export default function attempts({ phase, hand }: TopiaryView): TopiaryMove[] {
  switch (phase) {
    case "draft":
      return some(hand ?? [], KEPT).map((kept) => ({
        say: ["keep", ...kept].join(" "),
        kind: "keep",
        cells: [],
        kept,
      }));
    case "line":
      return CELLS.flatMap(linesFrom);
    case "take":
      return [
        ...CELLS.map((cell): TopiaryMove => ({ say: `take ${cell}`, kind: "take", cells: [cell] })),
        { say: "pass", kind: "pass", cells: [] },
      ];
    case "put":
      return (hand ?? []).map((tile) => ({ say: `put ${tile}`, kind: "put", piece: tile, cells: [] }));
    default:
      return [];
  }
}

/** The sight lines that begin at a cell: those with nothing behind it and something ahead. */
function linesFrom(cell: string): TopiaryMove[] {
  return Object.entries(HEADINGS)
    .filter(([, [east, north]]) => reach(cell, -east, -north) === 1 && reach(cell, east, north) > 1)
    .map(([heading]) => ({ say: `${cell}${heading}`, kind: "line", cells: [cell], heading }));
}

/** All choices of so many things, in their order. */
function some(things: readonly string[], n: number): string[][] {
  if (n === 0) return [[]];
  return things.flatMap((first, i) => some(things.slice(i + 1), n - 1).map((others) => [first, ...others]));
}
