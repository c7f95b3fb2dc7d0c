// Rows of one colour as they lie on the table, to be pointed at. What they are worth comes from the server.

import type { Row } from "../../lib/messages";
import { beside, type Half } from "./grid";

const LINES = [
  ["W", "E"],
  ["S", "N"],
] as const;

/** The neighbouring halves of a colour from a square on, without the square itself. */
function along(table: Map<string, Half>, from: string, heading: string, colour: string): Half[] {
  const found: Half[] = [];
  for (let half = table.get(beside(from, heading)); half?.colour === colour; ) {
    found.push(half);
    half = table.get(beside(half.cell, heading));
  }
  return found;
}

/** The two lines of a colour through a half, each with the half in it. */
export function linesThrough(table: Map<string, Half>, half: Half): Row[] {
  return LINES.map(([back, on]) => {
    const before = along(table, half.cell, back, half.colour).reverse();
    const halves = [...before, half, ...along(table, half.cell, on, half.colour)];
    const gems = halves.reduce((sum, one) => sum + one.gems, 0);
    return { colour: half.colour, gems, cells: halves.map(({ cell }) => cell) };
  });
}

/** The rows through a card that lies on the table. */
export function rowsThrough(table: Map<string, Half>, card: readonly Half[]): Row[] {
  return card.flatMap((half) => linesThrough(table, half)).filter(({ cells }) => cells.length > 1);
}
