// What several parts of the page of one's games say in the same way.

import { isLevel, levelName } from "../../core/levels";
import { titleOf } from "../../core/catalogue";
import type { PlayedGame, Tally } from "../../client/messages";
import { t } from "../../shell/words.svelte";
import { percent, tenths } from "../../ui/numbers";

export const OUTCOMES = ["won", "shared", "lost", "left", "alone", "together", "void"] as const;

/** `60% of 20`, and nothing where there is no game: a share without its number says nothing. */
export function rate({ games, won, shared }: Tally): string {
  return games ? t("history.rate", { rate: percent((won + shared / 2) / games), n: games }) : "–";
}

/** The coach's cost as a share of a game; alone as points. */
export function costWords(cost: number | null, players: number): string {
  if (cost === null) return "–";
  return players === 1 ? tenths(100 * cost) : percent(cost);
}

/** The game, and how many play: games of one kind compare. */
export function kind(game: string, players: number): string {
  return `${titleOf(game)}, ${t("history.players", { n: players })}`;
}

/** Who else played. */
export function othersOf({ seats }: PlayedGame): string[] {
  return seats.filter(({ mine }) => !mine).map(nameOf);
}

export function nameOf({ name, bot }: PlayedGame["seats"][number]): string {
  return bot && isLevel(bot) ? levelName(bot) : (name ?? t("history.somebody"));
}
