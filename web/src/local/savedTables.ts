// Tables of this device as this browser saves them: what was agreed, the secret that all chance follows from, and what happened,
// in order. The game follows from that, as at a server. What is kept may have been changed by anybody, so it is read with
// care; whether the moves are legal, the engine finds out.

import type { NewTable } from "../client/messages";
import { clock } from "../shell/clock.svelte";
import { randomHex } from "../shell/random";
import { found, tables } from "../shell/store";
import { FORM, type GameRecord, isTable, type SavedDuel, type SavedTable } from "./reading";

/** Set a table: the seats move on until the one who begins is first, unless that is still to be said. */
export function setTable(wish: NewTable, secret?: string): SavedTable {
  const players = wish.seats.length;
  const open = wish.first === "open";
  const first = typeof wish.first === "number" ? wish.first : open ? 0 : Math.floor(Math.random() * players);
  const seats = wish.seats.map(({ name, bot }) => ({ name: name ?? "", bot: bot ?? null }));
  return {
    form: FORM,
    game: wish.game,
    options: wish.options,
    box: wish.box ?? null,
    duel: wish.duel && players > 1 ? newDuel(players) : null,
    open,
    seats: movedTo(seats, first),
    assistance: wish.assistance ?? "full",
    pace: wish.pace ?? "human",
    hints: false,
    ...undealt(secret),
  };
}

/** A duel before the first of its games. */
export function newDuel(games: number): SavedDuel {
  return { games, id: null, open: null, tables: [], results: [], resigned: [] };
}

/** The same people again; everybody moves on by one seat, as at a server, so that the last one begins. */
export function setAgain(table: SavedTable, duel: SavedDuel | null = null): SavedTable {
  return { ...table, duel, seats: movedTo(table.seats, table.seats.length - 1), ...undealt() };
}

/** The table where somebody was said to begin: the others follow in the same order. */
export function begunBy(table: SavedTable, seat: number): SavedTable {
  return { ...table, open: false, seats: movedTo(table.seats, seat) };
}

function movedTo<Seat>(seats: readonly Seat[], first: number): Seat[] {
  return [...seats.slice(first), ...seats.slice(0, first)];
}

function undealt(
  secret = randomHex(32),
): Pick<SavedTable, "id" | "secret" | "journal" | "begun" | "changed" | "record"> {
  return { id: randomHex(8), secret, journal: [], begun: false, changed: now(), record: null };
}

/** The time as `changed` has it. */
export function now(): string {
  return new Date(clock.now()).toISOString();
}

/** The address of a table on this device. */
export function herePath({ game, id }: SavedTable): string {
  return `/here/${game}/${id}`;
}

/** A table that is kept here; undefined where there is none that can be read. */
export async function savedTable(id: string): Promise<SavedTable | undefined> {
  const found = await tables.read(id);
  return isTable(found) ? found : undefined;
}

/** The tables at which somebody here has done something, the last one first. */
export async function savedTables(): Promise<SavedTable[]> {
  const found = (await tables.all()).filter(isTable).filter(({ begun }) => begun);
  return found.sort((one, other) => other.changed.localeCompare(one.changed));
}

/** Those of them that are not over. */
export async function unfinishedHere(): Promise<SavedTable[]> {
  return (await savedTables()).filter(({ record }) => !record);
}

/** The record of a finished game that was played on this device. */
export async function recordOf(id: string): Promise<GameRecord | null> {
  return (await savedTable(id))?.record ?? null;
}

/** Keep a table; return whether it outlasts the page. */
export function saveTable(table: SavedTable): Promise<boolean> {
  return tables.set(table);
}

/** Keep a table that was just set. Older ones of its game at which nobody has done anything are given up. */
export async function saveNewTable(table: SavedTable): Promise<void> {
  const kept = saveTable(table);
  const others = (await tables.all()).filter(isTable).filter(({ game, begun }) => game === table.game && !begun);
  await Promise.all([kept, ...others.filter((one) => one.changed < table.changed).map(({ id }) => tables.remove(id))]);
}

/** Delete a table, and what the coach found in its game. */
export async function deleteTable(id: string): Promise<void> {
  await Promise.all([tables.remove(id), found.remove(id)]);
}
