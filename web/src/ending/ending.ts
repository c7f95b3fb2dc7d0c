// The end of a game: how its score is counted, line by line, and a sentence that says what happened.

import type { GamePage } from "../core/game";
import type { Entry, Sheet } from "../server/messages";
import { t } from "../shell/words.svelte";

export interface Counted {
  entry: Entry;
  /** What everybody has once the line is counted. */
  totals: number[];
}

/** The lines in the order in which they are counted: everybody's first, everybody's second, and so on. */
export function countingOrder({ entries, scores }: Sheet): Counted[] {
  const totals = scores.map(() => 0);
  const bySeat = scores.map((_, seat) => entries.filter((entry) => entry.seat === seat));
  const rounds = Math.max(0, ...bySeat.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => bySeat.flatMap((lines) => lines[round] ?? [])).flatMap((lines) =>
    lines.map((entry) => {
      totals[entry.seat] = (totals[entry.seat] ?? 0) + entry.points;
      return { entry, totals: [...totals] };
    }),
  );
}

/** What happened, in a sentence: by how much, and what brought most. Nothing where nobody plays against another. */
export function endingWords(game: GamePage, sheet: Sheet, names: string[], mine: number[]): string {
  if (sheet.scores.length < 2 || sheet.winners.length === 0) return "";
  const [seat = sheet.winners[0]!] = mine.length === 1 ? mine : [];
  const you = mine.length === 1;
  const parts = [marginWords(sheet, names, seat, you), bestWords(game, sheet, names, seat, you)];
  const said = parts.filter((part) => part).join("; ");
  return said && `${said.charAt(0).toLocaleUpperCase()}${said.slice(1)}.`;
}

function marginWords({ scores, winners }: Sheet, names: string[], seat: number, you: boolean): string | undefined {
  const won = winners.includes(seat);
  if (winners.length > 1) return won && you ? t("table.end_shared") : undefined;
  const others = won ? scores.filter((_, other) => other !== seat) : [scores[winners[0]!] ?? 0];
  const n = Math.abs((scores[seat] ?? 0) - Math.max(...others));
  // Who wins although others have more points, wins by something else than points.
  if (won !== (scores[seat] ?? 0) >= Math.max(...others) && n) return undefined;
  if (!you) return n ? t("table.end_by", { name: names[seat] ?? "", n }) : undefined;
  if (won) return n ? t("table.end_won", { n }) : t("table.end_won_tie");
  return n ? t("table.end_lost", { n }) : t("table.end_lost_tie");
}

function bestWords(game: GamePage, sheet: Sheet, names: string[], seat: number, you: boolean): string | undefined {
  const lines = sheet.entries
    .filter((entry) => entry.seat === seat && entry.points > 0)
    .toSorted((one, other) => other.points - one.points);
  for (const entry of lines) {
    const words = game.sheet.best?.(entry, you ? null : (names[seat] ?? ""));
    if (words) return words;
  }
  return undefined;
}
