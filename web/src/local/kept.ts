// Local tables as this browser keeps them: what was agreed, the secret that all chance follows from, and what happened, in
// order. The game follows from that, as at a server. What is kept may have been changed by anybody, so it is read with
// care; whether the moves are legal, the engine finds out.

import { tables } from "../shell/store";
import type { NewTable, TableState } from "../server/messages";

/** The form of what is kept; a table in another one can't be read. */
const FORM = 1;

export interface KeptSeat {
  name: string;
  /** The bot that plays; null for a person. */
  bot: string | null;
}

/** What happened at a table: a move, also of a bot; that it was taken back; that a seat resigned; that all ended it. */
export type Happened =
  | { type: "move"; move: string }
  | { type: "undo" }
  | { type: "resign"; seat: number }
  | { type: "end"; how: "agreed" | "void" };

export interface KeptTable {
  form: typeof FORM;
  game: string;
  options: TableState["options"];
  /** In the order of play. */
  seats: KeptSeat[];
  assistance: TableState["assistance"];
  pace: TableState["pace"];
  /** Whether those here have agreed to hints, where they are not given anyway. */
  hints: boolean;
  /** The deal, chance and the bots follow from it. */
  secret: string;
  journal: Happened[];
  over: boolean;
}

/** Set a table: the seats move on until the one who begins is first. */
export function setTable(wish: NewTable): KeptTable {
  const first = typeof wish.first === "number" ? wish.first : Math.floor(Math.random() * wish.seats.length);
  const seats = wish.seats.map(({ name, bot }) => ({ name: name ?? "", bot: bot ?? null }));
  return {
    form: FORM,
    game: wish.game,
    options: wish.options,
    seats: [...seats.slice(first), ...seats.slice(0, first)],
    assistance: wish.assistance ?? "full",
    pace: wish.pace ?? "human",
    hints: false,
    ...undealt(),
  };
}

/** The same people again; everybody moves on by one seat. */
export function setAgain(table: KeptTable): KeptTable {
  const seats = [...table.seats.slice(1), ...table.seats.slice(0, 1)];
  return { ...table, seats, ...undealt() };
}

function undealt(): Pick<KeptTable, "secret" | "journal" | "over"> {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const secret = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { secret, journal: [], over: false };
}

/** The table of a game that is kept here; undefined where there is none that can be read. */
export async function keptTable(game: string): Promise<KeptTable | undefined> {
  const found = await tables.read(game);
  return isTable(found) && found.game === game ? found : undefined;
}

/** Those of some games of which a table is kept that is not over. */
export async function unfinishedHere(games: readonly string[]): Promise<string[]> {
  const found = await Promise.all(games.map(keptTable));
  return found.flatMap((table) => (table && !table.over ? [table.game] : []));
}

/** Keep a table in the place of that of the same game; return whether it outlasts the page. */
export function keep(table: KeptTable): Promise<boolean> {
  return tables.set(table.game, table);
}

function isTable(found: unknown): found is KeptTable {
  if (typeof found !== "object" || found === null) return false;
  const { form, options, seats, secret, journal, assistance, pace, hints } = found as Partial<KeptTable>;
  return (
    form === FORM &&
    typeof options === "object" &&
    options !== null &&
    typeof secret === "string" &&
    typeof hints === "boolean" &&
    ["full", "plain", "none"].includes(assistance ?? "") &&
    ["human", "instant"].includes(pace ?? "") &&
    Array.isArray(seats) &&
    seats.length === options.players &&
    seats.every((seat) => typeof seat?.name === "string" && (seat.bot === null || typeof seat.bot === "string")) &&
    Array.isArray(journal) &&
    journal.every((happened) => isHappened(happened, seats.length))
  );
}

function isHappened(found: Partial<Record<string, unknown>> | null, seats: number): boolean {
  switch (found?.type) {
    case "move":
      return typeof found.move === "string";
    case "undo":
      return true;
    case "resign":
      return Array.from({ length: seats }, (_, seat) => seat).some((seat) => seat === found.seat);
    case "end":
      return found.how === "agreed" || found.how === "void";
    default:
      return false;
  }
}
