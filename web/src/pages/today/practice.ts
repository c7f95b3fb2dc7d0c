// Practice: what is played on the deal of a day, on this device and with another deal.

import { allGames } from "../../core/catalogue";
import type { Level } from "../../core/levels";
import { goHere } from "../../local/goHere";
import type { NewTable } from "../../client/messages";
import { visitor } from "../../shell/name.svelte";
import { optionsFor } from "../start/setting/setting";

/** What is played: alone, or for two against a bot. */
export interface Practice {
  game: string;
  options: Record<string, unknown>;
  opponent: string | null;
}

/** Who plays against everybody, as at a server (`server/today/daily.py`). */
const OPPONENT: Level = "level3";

/** What is played of each game that has an engine: alone where that can be, else for two. */
export function practices(): Practice[] {
  return allGames().flatMap(({ name: game, engine, players }) => {
    const alone = players.includes(1);
    if (!engine || !(alone || players.includes(2))) return [];
    const seats = alone ? 1 : 2;
    const others = optionsFor(game, seats).map(([name, option]) => [name, option.default]);
    return [{ game, options: { ...Object.fromEntries(others), players: seats }, opponent: alone ? null : OPPONENT }];
  });
}

/** Set a table on this device, and go there. On the deal of a day everybody has the same seat; `seat` says which. */
export function practise({ game, options, opponent, seat }: Practice & { seat?: number }): void {
  const me = { kind: "here", name: visitor.spoken } as const;
  const seats = opponent ? [me, { kind: "bot", bot: opponent } as const] : [me];
  if (seat === 1) seats.reverse();
  const first = seat === undefined ? "lot" : 0;
  goHere({ ...({ game, options } as NewTable), seats, first, assistance: "plain" });
}
