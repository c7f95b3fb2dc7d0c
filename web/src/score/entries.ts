// The blocks that the lines of a score sheet stand in: `ScoreSheet.svelte` shows them, and the `sheet.ts` of a game has
// the words of a line.

import type { Entry, Sheet } from "../client/messages";
import { t } from "../shell/words.svelte";

/** What belongs together: what a seat scored, or in a solitaire what a column did. */
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
