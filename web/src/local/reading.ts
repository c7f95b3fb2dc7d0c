// What is kept of a table on this device, and reading it: anybody may have changed it, or the file that it comes from.
// Whether its moves are legal, the engine finds out.

import type { TableState } from "../client/messages";

/** The form of what is kept; a table in another one can't be read. */
export const FORM = 3;

/** A finished game as a record (docs/records.md), with those who have played. */
export type GameRecord = Record<string, unknown>;

export interface SavedSeat {
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

export interface SavedTable {
  id: string;
  form: typeof FORM;
  game: string;
  options: TableState["options"];
  /** What is in the box, as keys of a deal; null for the box of the house. */
  box: Record<string, unknown> | null;
  duel: SavedDuel | null;
  /** Whether those here still have to say who begins; the game is dealt then. */
  open: boolean;
  /** In the order of play. */
  seats: SavedSeat[];
  assistance: TableState["assistance"];
  pace: TableState["pace"];
  /** Whether those here have agreed to hints, where they are not given anyway. */
  hints: boolean;
  /** The deal, chance and the bots follow from it. */
  secret: string;
  journal: Happened[];
  /** Whether somebody here has done something. */
  begun: boolean;
  /** When something was done last, RFC 3339. */
  changed: string;
  /** The game, once it is over. */
  record: GameRecord | null;
}

/** Which game of a duel is played at a table: `Duel` of `server/table/duels.py`. */
export interface SavedDuel {
  games: number;
  /** The commitment of the first game, and what lies open in its deal; null in the first game itself. */
  id: string | null;
  open: Record<string, unknown> | null;
  /** The tables of the games before, and the points in each of them, by seat. */
  tables: string[];
  results: number[][];
  /** The players who have resigned in one of them. */
  resigned: number[];
}

/** How often parts may lie in each other: what copies and writes them calls itself for each. */
const DEEPEST = 32;

type Check = (found: unknown) => boolean;
type Fields = Record<string, unknown>;

const text: Check = (found) => typeof found === "string";
const flag: Check = (found) => typeof found === "boolean";
const hex =
  (digits: number): Check =>
  (found) =>
    typeof found === "string" && found.length === digits && !/[^0-9a-f]/.test(found);
const oneOf =
  (...values: unknown[]): Check =>
  (found) =>
    values.includes(found);

/** What each part of a table must be; of the options, the engine says more. */
const PARTS: Record<Exclude<keyof SavedTable, "seats" | "journal" | "duel">, Check> = {
  form: oneOf(FORM),
  id: hex(16),
  game: (found) => typeof found === "string" && found !== "" && !/\W/.test(found),
  options: (found) => isObject(found) && Object.values(found).every(isOptionValue),
  box: (found) => found === null || isObject(found),
  open: flag,
  assistance: oneOf("full", "plain", "none"),
  pace: oneOf("human", "instant"),
  hints: flag,
  secret: hex(64),
  begun: flag,
  changed: (found) => typeof found === "string" && !Number.isNaN(Date.parse(found)),
  record: (found) => found === null || isObject(found),
};

/** The first part that is not as it must be, such as `journal[3]`; nothing where a table can be read. */
export function wrongIn(found: unknown): string | undefined {
  if (!isObject(found) || !isShallow(found)) return "table";
  const wrong = Object.entries(PARTS).find(([name, check]) => !check(found[name]));
  if (wrong) return wrong[0];
  const { seats, journal, options } = found;
  const players = (options as Fields)["players"];
  if (!Array.isArray(seats) || seats.length !== players) return "seats";
  const seat = seats.findIndex((one) => !isSeat(one));
  if (seat >= 0) return `seats[${seat}]`;
  if (found["duel"] !== null && !isDuel(found["duel"], seats.length)) return "duel";
  if (!Array.isArray(journal)) return "journal";
  const entry = journal.findIndex((one) => !isHappened(one, seats.length));
  return entry < 0 ? undefined : `journal[${entry}]`;
}

export function isTable(found: unknown): found is SavedTable {
  return wrongIn(found) === undefined;
}

export function isObject(found: unknown): found is Fields {
  return typeof found === "object" && found !== null && !Array.isArray(found);
}

/** Whether parts lie in each other at most so often. */
export function isShallow(found: unknown, most = DEEPEST): boolean {
  if (typeof found !== "object" || found === null) return true;
  return most > 0 && Object.values(found).every((part) => isShallow(part, most - 1));
}

function isOptionValue(found: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof found);
}

function isSeat(found: unknown): boolean {
  return isObject(found) && text(found["name"]) && (found["bot"] === null || text(found["bot"]));
}

function isDuel(found: unknown, players: number): boolean {
  if (!isObject(found) || found["games"] !== players) return false;
  const { id, open, tables, results, resigned } = found;
  const isFirst = Array.isArray(results) && results.length === 0;
  const isPlayer: Check = (one) => Number.isInteger(one) && 0 <= Number(one) && Number(one) < players;
  const isResult: Check = (one) => isList(one, Number.isSafeInteger) && one.length === players;
  return (
    (isFirst ? id === null && open === null : hex(64)(id) && isObject(open)) &&
    isList(results, isResult) &&
    results.length < players &&
    isList(tables, hex(16)) &&
    tables.length === results.length &&
    isList(resigned, isPlayer)
  );
}

function isList(found: unknown, check: Check): found is unknown[] {
  return Array.isArray(found) && found.every((one) => check(one));
}

function isHappened(found: unknown, seats: number): boolean {
  if (!isObject(found)) return false;
  switch (found["type"]) {
    case "move":
      return text(found["move"]);
    case "undo":
      return true;
    case "resign":
      return Number.isInteger(found["seat"]) && 0 <= Number(found["seat"]) && Number(found["seat"]) < seats;
    case "end":
      return found["how"] === "agreed" || found["how"] === "void";
    default:
      return false;
  }
}
