// Duels at tables of this device, as at a server (`server/table/duels.py`): each game has a table of its own, and each
// table knows what came before.

import type { Outcome } from "../engine/protocol";
import type { DuelState } from "../client/messages";
import { newDuel } from "./savedTables";
import type { GameRecord, SavedDuel } from "./reading";

/** Whether another game follows one that is over. Who resigns gives the duel up. */
function goesOn({ games, results }: SavedDuel, { ending }: Outcome): boolean {
  return ending?.how !== "resigned" && results.length + 1 < games;
}

/** What the next table keeps: the next game, or the first one of another duel. */
export function nextDuel(
  duel: SavedDuel,
  { table, outcome, record, openKeys }: { table: string; outcome: Outcome; record: GameRecord; openKeys: string[] },
): SavedDuel {
  if (!goesOn(duel, outcome)) return newDuel(duel.games);
  const deal = record["deal"] as Record<string, unknown>;
  const open = Object.fromEntries(openKeys.filter((key) => key in deal).map((key) => [key, deal[key]]));
  return {
    games: duel.games,
    id: duel.id ?? commitmentOf(record),
    open: duel.open ?? open,
    tables: [...duel.tables, table],
    results: [...duel.results, outcome.scores],
    resigned: resignedAfter(duel, outcome),
  };
}

/** What the record of a game says of the duel. */
export function duelInRecord({ id, games, results }: SavedDuel, record: GameRecord): GameRecord {
  return { id: id ?? commitmentOf(record), game: results.length, games };
}

/** How a duel stands, by seats of the table of its last game; `outcome` is null while that goes on. */
export function duelState(duel: SavedDuel, outcome: Outcome | null): DuelState {
  const { games, tables } = duel;
  const game = duel.results.length;
  const points = totals(games, outcome ? [...duel.results, outcome.scores] : duel.results);
  const over = outcome !== null && !goesOn(duel, outcome);
  const left = over
    ? points.map((_, player) => player).filter((one) => !resignedAfter(duel, outcome).includes(one))
    : [];
  const most = Math.max(...left.map((player) => points[player]!));
  const seated = points.map((_, seat) => playerAt(seat, game, games));
  return {
    ...{ game, games, over, tables },
    points: seated.map((player) => points[player]!),
    winners: seated.flatMap((player, seat) => (left.includes(player) && points[player] === most ? [seat] : [])),
  };
}

/** Who sits on a seat: players are numbered by their seats in the first game, and move on by one after each. */
function playerAt(seat: number, game: number, players: number): number {
  return (seat - game + players) % players;
}

function totals(players: number, results: number[][]): number[] {
  const points = Array<number>(players).fill(0);
  for (const [game, scores] of results.entries()) {
    for (const [seat, score] of scores.entries()) points[playerAt(seat, game, players)]! += score;
  }
  return points;
}

function resignedAfter({ resigned, results, games }: SavedDuel, { ending }: Outcome): number[] {
  const now = (ending?.resigned ?? []).map((seat) => playerAt(seat, results.length, games));
  return [...new Set([...resigned, ...now])].sort((one, other) => one - other);
}

function commitmentOf(record: GameRecord): string {
  return (record["fair"] as { commitment: string }).commitment;
}
