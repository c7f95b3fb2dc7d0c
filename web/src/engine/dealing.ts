// Deals in an engine: with another box than the house's, with what lies open as in another deal, and those of records.

import { type BoxFindings, type BoxForm, inspectBoxFile, readAnyBox, readBox, writeBoxFile } from "./boxes.ts";
import { type Form, keysOf, readParts, readWithOpenPart, withBox } from "./deals.ts";
import type { Engine } from "./engine.ts";
import { EngineError } from "./errors.ts";
import { ofOptions, type Options } from "./facts.ts";
import type { Deal } from "./protocol.ts";
import { expectObject, expectOnly, type Json } from "./reading.ts";

type Fields = ReadonlyMap<string, number[]>;

/** Deal a game from the seed of its generator, as `fair.deal` does; return its options. Raises EngineError. */
export function deal(engine: Engine, { options: given, box, openAsIn }: Deal, seed: string): Options {
  const options = engine.prepare(given);
  const found = box === undefined || box === null ? new Map<string, number[]>() : anyBox(engine, options, box);
  lay(engine, found);
  engine.seed(seed);
  engine.deal();
  if (openAsIn) {
    const form = withBox(formOf(engine, options), found);
    const other = expectObject(openAsIn, "deal");
    lay(engine, readWithOpenPart(JSON.parse(engine.dealText()) as Json, other, form, engine.facts.open_keys));
    engine.beginGame();
  }
  return options;
}

/** Return a box in any form as keys of a deal, null where it is that of the house. Raises EngineError. */
export function normalizedBox(engine: Engine, options: Deal["options"], box: unknown): Json | null {
  return engine.aside(() => {
    deal(engine, { options, secret: "", nonces: [], box }, "");
    return boxOf(JSON.parse(engine.dealText()) as Json, engine.facts.box) ?? null;
  });
}

/** Return the box of the house as the content of a box file. */
export function houseBox(engine: Engine): Json {
  const { box, fields, options } = engine.facts;
  return engine.aside(() =>
    writeBoxFile(box, options["players"] as number[], (field, players) => {
      engine.prepare({ players });
      return engine.getField(field, fields[field]!);
    }),
  );
}

/** Return all that is wrong with the content of a box file, and which of its pictures are turned others. */
export function boxFindings({ facts }: Engine, content: unknown): BoxFindings {
  return inspectBoxFile(content, facts.box, facts.options["players"] as number[]);
}

/** Return the box of a deal, as a deal is asked with it; undefined where it is that of the house. */
export function boxOf(dealt: Json, form: BoxForm): Json | undefined {
  const keys = form.map(({ key }) => key).filter((key) => Object.hasOwn(dealt, key));
  return keys.length ? Object.fromEntries(keys.map((key) => [key, dealt[key]])) : undefined;
}

/** Set the state of a new game with these options to the deal of a record, and begin the game. Raises EngineError. */
export function layDeal(engine: Engine, options: Options, given: Json): void {
  const { box } = engine.facts;
  const form = formOf(engine, options);
  expectOnly(given, [...keysOf(form), ...box.map(({ key }) => key)], "deal");
  const found = readBox(given, box, engine.seats, "deal");
  lay(engine, found);
  lay(engine, readParts(given, withBox(form, found)));
  engine.beginGame();
}

function formOf({ facts }: Engine, options: Options): Form {
  const form = facts.deals[ofOptions(facts, options).deal ?? 0];
  if (!form) throw new EngineError("argument", "the engine of this game reads no deals");
  return form;
}

function lay(engine: Engine, found: Fields): void {
  for (const [field, numbers] of found) engine.setField(field, engine.facts.fields[field]!, numbers);
}

/** Return the fields of a box, with the errors of `load_box` in Python. */
function anyBox(engine: Engine, { players }: Options, given: unknown): Fields {
  const { box, title, options } = engine.facts;
  if (!box.length) throw new EngineError("argument", `${title} has no box to choose; leave it out`);
  try {
    return readAnyBox(given, box, players as number, options["players"] as number[]);
  } catch (error) {
    const { message } = error as EngineError;
    const counted = /\[\d+\]/.test(message) ? " (positions in [] are counted from 0)" : "";
    throw new EngineError("argument", message + counted);
  }
}
