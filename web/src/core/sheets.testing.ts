// Score sheets as the server writes them, and what the page is to say decided their games.

import type { Entry, Part } from "../client/messages";

/** A game with a score sheet of these lines, whose points add up to the scores. */
export interface Decided {
  entries: Entry[];
  /** The seats of the reader. */
  mine?: number[];
  seats?: number;
  /** What is said, or how it ends. */
  words: string | RegExp;
}

export function line(seat: number, kind: string, points: number, more: Partial<Entry> = {}): Entry {
  return {
    seat,
    kind,
    points,
    name: "",
    cells: [],
    parts: [],
    combine: "sum",
    piece: null,
    cell: null,
    heading: null,
    ...more,
  };
}

/** A line that is the sum of its parts. */
export function lineOf(seat: number, kind: string, parts: Part[]): Entry {
  return line(
    seat,
    kind,
    parts.reduce((sum, { points }) => sum + points, 0),
    { parts },
  );
}

export function part(kind: string, points: number): Part {
  return { kind, name: "T", points, cells: [] };
}
