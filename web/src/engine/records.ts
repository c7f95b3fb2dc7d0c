// Records, read and checked through an engine as `core/record.py` does (docs/records.md).

import { keysOf, readParts } from "./deals.ts";
import { type Ending, HOW } from "./ending.ts";
import type { Engine } from "./engine.ts";
import { EngineError } from "./errors.ts";
import { ofOptions, type Options } from "./facts.ts";
import { Game } from "./game.ts";
import { checkOptions } from "./options.ts";
import { listed, quoted } from "./quoting.ts";
import { expectKey, expectList, expectObject, expectOnly, type Json, wrong } from "./reading.ts";

export const FORMAT = "bosquet/1";
const KEYS = ["format", "game", "options", "deal", "moves", "result"];
const FAIR = "fair";
const ENDING = "ending";

/** Validate and replay a record; return its game. Raises EngineError, with the ply if the error is in a move. */
export function readRecord(engine: Engine, record: unknown): Game {
  const data = expectObject(record, "the record");
  for (const key of KEYS) expectKey(data, key, "the record");
  if (data["format"] !== FORMAT) throw wrong(`format is ${quoted(data["format"])}; this reads ${quoted(FORMAT)}`);
  const game = dealt(engine, data);
  const moves = data["moves"];
  if (!Array.isArray(moves)) throw wrong(`moves is ${quoted(moves)}; it must be a list of text`);
  for (const [ply, move] of moves.entries()) {
    if (game.chanceDue) makeChance(game, ply, move, seedOf(engine, data));
    else make(game, ply, move);
  }
  finish(game, data);
  game.goOn(crypto.randomUUID());
  return game;
}

function dealt(engine: Engine, data: Json): Game {
  const given = expectObject(data["options"], "options");
  const deal = expectObject(data["deal"], "deal");
  if (data["game"] !== engine.game) {
    throw new EngineError("game", `the record is of ${quoted(data["game"])}; the engine plays ${engine.game}`);
  }
  expectKey(given, "players", "options");
  expectOnly(given, Object.keys(engine.facts.options), "options");
  let options: Options;
  try {
    options = checkOptions(engine.facts, given);
  } catch (error) {
    throw wrong(`options.${(error as EngineError).message}`);
  }
  engine.prepare(options);
  readDeal(engine, options, deal);
  const first = engine.packed();
  return new Game(engine, first, { first });
}

/** Set the state to a deal and begin the game. Raises EngineError. */
function readDeal(engine: Engine, options: Options, deal: Json): void {
  const { deals, fields, box_keys } = engine.facts;
  const form = deals[ofOptions(engine.facts, options).deal ?? 0];
  if (!form) throw new EngineError("argument", "the engine of this game reads no records");
  expectOnly(deal, [...keysOf(form), ...box_keys], "deal");
  if (box_keys.some((key) => Object.hasOwn(deal, key))) {
    throw new EngineError("argument", "the engine reads no records of games with another box");
  }
  for (const [field, numbers] of readParts(deal, form)) engine.setField(field, fields[field]!, numbers);
  engine.beginGame();
}

/** The seed of chance events that a record says. */
function seedOf(engine: Engine, data: Json): string {
  const said = expectObject(expectKey(data, FAIR, "the record"), FAIR);
  const secret = expectKey(said, "secret", FAIR);
  if (typeof secret !== "string") throw wrong("fair.secret must be text");
  const nonces = expectList(expectKey(said, "nonces", FAIR), engine.seats, "fair.nonces");
  for (const [i, nonce] of nonces.entries()) {
    if (nonce === null || typeof nonce === "string") continue;
    throw wrong(`fair.nonces[${i}] is ${quoted(nonce)}; it must be text or null`);
  }
  return engine.dealSeed(secret, nonces as (string | null)[]);
}

function make(game: Game, ply: number, move: unknown): void {
  try {
    game.play(move as string);
  } catch (error) {
    if (error instanceof EngineError && error.reason === "move") throw wrong(error.message, ply);
    throw error;
  }
}

/** Draw a chance event, and check that it is that of the record. */
function makeChance(game: Game, ply: number, move: unknown, seed: string): void {
  const right = game.drawBy(seed);
  if (move !== right) {
    throw wrong(`${quoted(move)} is not what secret and nonces give; it must be ${quoted(right)}`, ply);
  }
}

/** Check the result of a record after its moves, and end its game if it ended other than by its rules. */
function finish(game: Game, data: Json): void {
  checkResult(game, data["result"]);
  const given = data[ENDING] ?? null;
  if (given === null) return;
  const ending = readEnding(given);
  try {
    game.end(ending);
  } catch (error) {
    throw wrong(`${ENDING}: ${(error as EngineError).message}`);
  }
  const right = game.record()[ENDING] as Json;
  for (const name of ["scores", "winners"]) {
    const value = right[name] ?? null;
    if (JSON.stringify((given as Json)[name] ?? null) === JSON.stringify(value)) continue;
    throw wrong(`${ENDING}.${name} must be ${JSON.stringify(value)}`);
  }
}

function readEnding(given: unknown): Ending {
  const data = expectObject(given, ENDING);
  const how = data["how"] ?? null;
  const { resigned = [] } = data;
  if (!(HOW as readonly unknown[]).includes(how)) {
    throw wrong(`${ENDING}.how is ${quoted(how)}; it must be ${listed(HOW)}`);
  }
  if (!Array.isArray(resigned) || !resigned.every(Number.isInteger)) {
    throw wrong(`${ENDING}.resigned is ${quoted(resigned)}; it must be a list of seats`);
  }
  return { how: how as Ending["how"], resigned };
}

/** Check that the result is correct, and null exactly while the game runs. */
function checkResult(game: Game, given: unknown): void {
  const found = game.result;
  if (found === null) {
    if (given !== null) throw wrong("the game is not over after the last move; result must be null");
    return;
  }
  const right = JSON.stringify(found);
  if (given === null) throw wrong(`the game is over; result must be ${right}`);
  if (typeof given !== "object" || Array.isArray(given)) {
    throw wrong(`result is ${quoted(given)}; it must be ${right}`);
  }
  for (const [key, value] of Object.entries(found)) {
    const shown = `[${value.join(", ")}]`;
    if (!Object.hasOwn(given, key)) throw wrong(`result has no ${quoted(key)}; it must be ${shown}`);
    const other = (given as Json)[key];
    if (JSON.stringify(other) === JSON.stringify(value)) continue;
    throw wrong(`result.${key} is ${isShort(other) ? `[${other.join(", ")}]` : quoted(other)}; it must be ${shown}`);
  }
}

/** Whether a list is short enough to be shown in a message. */
function isShort(given: unknown): given is number[] {
  const fits = (number: unknown) => Number.isInteger(number) && Math.abs(number as number) < 1e6;
  return Array.isArray(given) && given.length <= 8 && given.every(fits);
}
