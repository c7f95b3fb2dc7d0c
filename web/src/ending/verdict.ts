// Who won, in a line.

import type { GamePage } from "../core/game";
import type { DuelState, Ending, Sheet, TableState } from "../client/messages";
import { language, t } from "../shell/words.svelte";

/** `yours` is whether the reader played alone. */
export function verdict(
  game: GamePage,
  sheet: Sheet,
  names: string[],
  ending: Ending | null,
  { yours = false } = {},
): string {
  if (ending?.how === "void") return t("rights.ended_void");
  if (ending?.how === "resigned") {
    const named = new Intl.ListFormat(language()).format(sheet.winners.map((seat) => names[seat] ?? ""));
    return t("rights.wins_resigned", { name: named, n: sheet.winners.length });
  }
  const special = game.sheet.verdict?.(sheet, yours ? null : (names[0] ?? ""));
  if (special) return special;
  const n = best(sheet);
  const winners = sheet.winners.map((seat) => names[seat] ?? "");
  if (winners.length === 1) return t("table.wins", { name: winners[0] ?? "", n });
  return t("table.share", { names: new Intl.ListFormat(language()).format(winners), n });
}

/** Who won a duel, in a line; undefined while it goes on. */
export function duelVerdict({ points, winners }: DuelState, names: string[]): string | undefined {
  if (!winners.length) return undefined;
  const n = points[winners[0] ?? 0] ?? 0;
  const won = winners.map((seat) => names[seat] ?? "");
  if (won.length === 1) return t("table.duel_won", { name: won[0] ?? "", n });
  return t("table.duel_shared", { names: new Intl.ListFormat(language()).format(won), n });
}

/** What comes after a game: the next one of a duel, or another of the same. */
export function nextGameWords(news: TableState): string {
  if (!news.duel) return t("table.rematch");
  if (news.duel.over) return t("table.duel_again");
  return t("table.duel_next", { game: nextOfDuel(news.duel, news.ending), games: news.duel.games });
}

/**
 * For what the next game waits, where others play, too; nothing where it need not be said. `opened` is whether the next
 * table was open before.
 */
export function waitingWords(news: TableState, opened: boolean): string | undefined {
  const { duel, ending, rematch, mine, seats } = news;
  const others = seats.some(({ kind }, seat) => kind === "human" && !mine.includes(seat));
  if (!mine.length || !others) return undefined;
  if (rematch) return t("table.next_open");
  if (opened) return t("table.next_closed");
  return duel && !duel.over ? t("table.duel_begins", { game: nextOfDuel(duel, ending) }) : undefined;
}

/** The number of the next game, from 1; one that does not count is played again. */
function nextOfDuel(duel: DuelState, ending: Ending | null): number {
  return duel.game + (ending?.how === "void" ? 1 : 2);
}

/** Why one of several with the same points won, in a game that breaks ties. */
export function tieWords(game: GamePage, sheet: Sheet): string | undefined {
  const n = best(sheet);
  const tied = sheet.scores.filter((score) => score === n).length;
  return tied > sheet.winners.length ? game.sheet.tie?.(n) : undefined;
}

function best({ winners, scores }: Sheet): number {
  return scores[winners[0] ?? 0] ?? 0;
}
