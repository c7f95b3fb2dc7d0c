// A position of the analysis board as an address: what it goes out from, and the moves from there. It stands behind the
// `#`, which browsers send to no server, in letters that come through messengers as they are.

import { isObject, isShallow } from "../../local/reading";
import type { ReplayRequest } from "../../client/messages";
import { randomHex } from "../../shell/random";

type GameRecord = ReplayRequest["record"];

/** Where moves are tried: in a game all of which is known, or in what somebody knows of one. */
export type Source = { record: GameRecord } | ({ position: string } & People);

/** Who played, as a record says it. */
interface People {
  players?: unknown;
  bots?: unknown;
}

export interface Place {
  source: Source;
  /** Draws what is not known, and the chance events of what is tried. */
  seed: string;
  /** The seat that a person plays while a bot answers for the others. */
  mine?: number;
  /** How many plies of the record come first, chance events included. */
  plies?: number;
  /** The moves that lead to the position from there. */
  path: string[];
}

/** Longer addresses are not read. */
const LONGEST = 200_000;
/** What is kept of a record: no secrets, dates and results of tables. */
const PARTS = ["format", "game", "options", "deal", "moves", "result", "players", "bots"];

/** In a game all of which is known the same chance comes each time, so that branches can be kept. */
const SEED = "1";

/** A link that is no place; the message names what is wrong in it. */
export class WrongPlace extends Error {}

/** A place in a game that was played, or as much of it as there is. */
export function placeIn(record: GameRecord, plies = 0): Place {
  const known = Object.fromEntries(PARTS.flatMap((part) => (part in record ? [[part, record[part]]] : [])));
  return { source: { record: known }, seed: SEED, plies, path: [] };
}

/** A place in what somebody knows; who played is not said in a text. */
export function placeOfText(text: string, { players, bots }: People = {}): Place {
  const people = { ...(Array.isArray(players) && { players }), ...(Array.isArray(bots) && { bots }) };
  return { source: { position: text.trim(), ...people }, seed: randomHex(16), path: [] };
}

/** Who played there. */
export function peopleOf({ source }: Place): People {
  return "record" in source ? source.record : source;
}

/** The address of a position of a game. */
export function explorePath(record: GameRecord, plies: number): string {
  return analysisPath(placeIn(record, plies));
}

export function analysisPath(place: Place): string {
  return `/analysis#${codeOf(place)}`;
}

export function gameOf({ source }: Place): string {
  return "record" in source ? (source.record["game"] as string) : source.position.split("/", 1)[0]!;
}

export function codeOf({ source, ...more }: Place): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ ...source, ...more }));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Read the place of a code. Raises WrongPlace. */
export function placeOf(code: string): Place {
  if (code.length > LONGEST) throw new WrongPlace(`${code.length} characters`);
  const found = jsonOf(code);
  if (!isObject(found)) throw new WrongPlace("code");
  if (!isShallow(found)) throw new WrongPlace("nested too deeply");
  const { record, position, seed, mine, plies = 0, path, players, bots } = found;
  if (typeof seed !== "string") throw new WrongPlace("seed");
  if (!Array.isArray(path)) throw new WrongPlace("path");
  if (mine !== undefined && !Number.isInteger(mine)) throw new WrongPlace("mine");
  const more = { ...(mine !== undefined && { mine: mine as number }), path };
  const wrong = path.findIndex((move) => typeof move !== "string");
  if (wrong >= 0) throw new WrongPlace(`path[${wrong}]`);
  if (typeof position === "string" && record === undefined) {
    return { ...placeOfText(position, { players, bots }), seed, ...more };
  }
  if (!Number.isInteger(plies)) throw new WrongPlace("plies");
  if (!isObject(record) || position !== undefined) throw new WrongPlace("record");
  if (typeof record["game"] !== "string") throw new WrongPlace("record.game");
  if (!Array.isArray(record["moves"])) throw new WrongPlace("record.moves");
  return { source: { record }, seed, plies: plies as number, ...more };
}

function jsonOf(code: string): unknown {
  try {
    const letters = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
