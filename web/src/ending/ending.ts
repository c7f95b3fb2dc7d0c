// The end of a game: how its score is counted, line by line, and a sentence that says what happened.

import type { Causes, GamePage } from "../core/game";
import type { Entry, Sheet } from "../client/messages";
import { t } from "../shell/words.svelte";

export interface CountedLine {
  entry: Entry;
  /** What everybody has once the line is counted. */
  totals: number[];
}

/** The lines in the order in which they are counted: everybody's first, everybody's second, and so on. */
export function countingOrder({ entries, scores }: Sheet): CountedLine[] {
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

/** What happened, in a sentence: by how much, and what decided it. Nothing where nobody plays against another. */
export function endingWords(game: GamePage, sheet: Sheet, names: string[], mine: number[]): string {
  if (sheet.scores.length < 2 || sheet.winners.length === 0) return "";
  const [seat = sheet.winners[0]!] = mine.length === 1 ? mine : [];
  const you = mine.length === 1;
  const parts = [marginWords(sheet, names, seat, you), decidedWords(game, sheet, names, you ? seat : undefined)];
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

/** The cause that explains more than half of the lead over another player, and by how much it differs. */
function causeOf(
  causes: Causes,
  { entries }: Sheet,
  winner: number,
  other: number,
  lead: number,
): [string, number] | undefined {
  const differences = new Map<string, number>();
  for (const entry of entries) {
    const sign = entry.seat === winner ? 1 : entry.seat === other ? -1 : 0;
    for (const [cause, points] of Object.entries(causes.of(entry))) {
      differences.set(cause, (differences.get(cause) ?? 0) + sign * (points ?? 0));
    }
  }
  const [biggest] = [...differences].toSorted(([, one], [, next]) => next - one);
  return biggest && 2 * biggest[1] > lead ? biggest : undefined;
}

function decidedWords(game: GamePage, sheet: Sheet, names: string[], mine: number | undefined): string | undefined {
  const { causes } = game.sheet;
  const [winner] = sheet.winners;
  if (!causes || winner === undefined || sheet.winners.length > 1 || !sheet.entries.length) return undefined;
  const other = mine === undefined || mine === winner ? runnerUp(sheet, winner) : mine;
  const lead = (sheet.scores[winner] ?? 0) - (sheet.scores[other] ?? 0);
  if (lead <= 0) return undefined;
  const cause = causeOf(causes, sheet, winner, other, lead);
  return cause ? causes.words(...cause, mine === winner ? null : (names[winner] ?? "")) : t("table.end_even");
}

/** Who has most of the others. */
function runnerUp({ scores }: Sheet, winner: number): number {
  const others = scores.map((_, seat) => seat).filter((seat) => seat !== winner);
  return others.reduce((best, seat) => ((scores[seat] ?? 0) > (scores[best] ?? 0) ? seat : best));
}
