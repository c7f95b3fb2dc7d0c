// What a page is told of a table on this device besides its position, in the words of a table of a server.

import type { Turn } from "../engine/protocol";
import type { Seat, TableState } from "../client/messages";
import { duelState } from "./duel";
import type { SavedTable } from "./reading";

/** How a table stands. */
export interface Standing {
  turn: Turn;
  resigned: ReadonlySet<number>;
  givesHints: boolean;
  /** The bot that plays on a seat, also in the place of somebody who has resigned. */
  botAt: (seat: number) => string | null;
}

/** The seats of the people here. */
export function mineOf({ seats }: SavedTable): number[] {
  return seats.flatMap(({ bot }, seat) => (bot === null ? [seat] : []));
}

export function stateOf(saved: SavedTable, standing: Standing): TableState {
  const { id, game, options, assistance, pace, seats } = saved;
  const { turn, botAt, givesHints } = standing;
  return {
    type: "table",
    table: id,
    game: game as TableState["game"],
    options,
    phase: turn.over ? "over" : "playing",
    seats: seats.map((_, seat) => seatOf(saved, standing, seat)),
    mine: mineOf(saved).filter((seat) => botAt(seat) === null),
    host: true,
    pace,
    watchers: 0,
    first: "lot",
    commitment: "",
    invitation: null,
    listed: false,
    rematch: null,
    previous: null,
    duel: saved.duel && duelState(saved.duel, turn.outcome),
    ending: turn.outcome?.ending ?? null,
    assistance,
    hints: givesHints,
    slow: null,
    deadline: null,
    daily: null,
    clock: null,
    times: null,
    delay: null,
  };
}

function seatOf({ seats, hints }: SavedTable, { turn, resigned, botAt }: Standing, seat: number): Seat {
  const bot = turn.over ? seats[seat]!.bot : botAt(seat);
  return {
    kind: bot === null ? "human" : "bot",
    name: seats[seat]!.name,
    ready: true,
    here: true,
    bot,
    stands_in: false,
    gone: false,
    hints: bot === null && hints,
    agrees: null,
    left: resigned.has(seat) && bot !== null ? "resigned" : null,
    chat: false,
    away: null,
  };
}
