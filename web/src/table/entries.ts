// The lines of a score sheet in words, and the blocks that they stand in.

import { placement } from "../boards/topas/offer";
import { cardWords } from "../boards/topas/wording";
import type { Entry, Part, Sheet } from "../lib/messages";
import { t } from "../lib/words.svelte";
import { elementWords, lineParts, tileWords, typeWords } from "./describe";

/** What belongs together: what a seat scored, or in the solitaire of Topas what a column did. */
export interface Block {
  title: string;
  /** Whose it is; a column is nobody's. */
  seat: number | null;
  /** It decided the game. */
  counts: boolean;
  points: number;
  entries: Entry[];
}

export function blocksOf(sheet: Sheet, names: string[]): Block[] {
  const columns = columnsOf(sheet);
  if (columns.length) return columns;
  return names.map((name, seat) => ({
    title: name,
    seat,
    counts: sheet.winners.includes(seat) && names.length > 1,
    points: sheet.scores[seat] ?? 0,
    entries: sheet.entries.filter((entry) => entry.seat === seat),
  }));
}

/** The columns of a solitaire, with the one that lies on the table last. */
function columnsOf({ columns, entries, winners }: Sheet): Block[] {
  if (!columns.length && !entries.some(({ kind }) => kind.startsWith("column"))) return [];
  const over = winners.length > 0;
  const all = Array.from({ length: columns.length + (over ? 0 : 1) }, (_, i) => i);
  return all.map((i) => {
    const laid = entries.filter(({ kind }) => kind === `column ${i + 1}`);
    const points = columns[i] ?? laid.reduce((sum, entry) => sum + entry.points, 0);
    return {
      title: t("table.column", { n: i + 1 }),
      seat: null,
      counts: over && points === Math.min(...columns),
      points,
      entries: i === all.length - 1 ? laid : laid.map(withoutCells),
    };
  });
}

function withoutCells(entry: Entry): Entry {
  return { ...entry, cells: [], parts: entry.parts.map((part) => ({ ...part, cells: [] })) };
}

export function entryWords({ kind, name }: Entry): string {
  switch (kind) {
    case "visitor":
      return t("table.entry_visitor", { cell: "", toward: "", ...lineParts(name) });
    case "hand":
      return t("table.entry_hand", { tile: tileWords(name) });
    case "tile":
      return t("table.entry_tile", { cell: name });
    case "element":
      return elementWords(name);
    default:
      return cardWords(cardOf(name) ?? name);
  }
}

/** The card of Topas that a line is about. */
export function cardOf(name: string): string | undefined {
  return name.includes("@") ? placement(name).card : undefined;
}

export function partWords({ kind, name, points }: Part): string {
  if (kind === "row") return t("topas.row", { gems: t("topas.gems", { colour: name, n: points }) });
  if (kind === "bonus") return t("table.part_bonus", { type: typeWords(name), n: points });
  return t("table.part_tile", { tile: tileWords(name) });
}
