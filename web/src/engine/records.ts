// Records, read and checked through an engine as `core/records/record.py` does (docs/records.md).

import { layDeal } from "./dealing.ts";
import { type Ending, HOW } from "./ending.ts";
import type { Engine } from "./engine.ts";
import { EngineError } from "./errors.ts";
import type { Options } from "./facts.ts";
import { Game } from "./game.ts";
import { checkOptions } from "./options.ts";
import { listed, quoted } from "./quoting.ts";
import { expectKey, expectObject, expectOnly, type Json, wrong } from "./reading.ts";

export const FORMAT = "bosquet/1";
const KEYS = ["format", "game", "options", "deal", "moves", "result"];
const ENDING = "ending";

/**
 * Validate and replay a record; return its game, which draws chance events from the seed. Raises EngineError, with the
 * ply if the error is in a move.
 */
export function readRecord(engine: Engine, record: unknown, seed: string = randomSeed()): Game {
  const data = expectObject(record, "the record");
  for (const key of KEYS) expectKey(data, key, "the record");
  if (data["format"] !== FORMAT) throw wrong(`format is ${quoted(data["format"])}; this reads ${quoted(FORMAT)}`);
  const game = dealt(engine, data);
  const moves = data["moves"];
  if (!Array.isArray(moves)) throw wrong(`moves is ${quoted(moves)}; it must be a list of text`);
  for (const [ply, move] of moves.entries()) {
    make(game, ply, move);
  }
  finish(game, data);
  game.goOn(seed);
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
  layDeal(engine, options, deal);
  const first = engine.packed();
  const extra = Object.fromEntries(Object.entries(data).filter(([key]) => !KEYS.includes(key) && key !== ENDING));
  return new Game(engine, first, { first, extra });
}

function make(game: Game, ply: number, move: unknown): void {
  try {
    if (game.chanceDue) game.takeChance(move);
    else game.play(move);
  } catch (error) {
    if (error instanceof EngineError && error.reason === "move") throw wrong(error.message, ply);
    throw error;
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

/** A seed that nobody can guess, also in a page over plain HTTP, where `crypto.randomUUID` is not there. */
function randomSeed(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("/");
}
