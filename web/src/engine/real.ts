// A game with the real box: what was entered, checked by its form and counted as `core/real_game_scoring.py` does.

import type { Engine } from "./engine.ts";
import { EngineError, type Why } from "./errors.ts";
import { type RealForm, sentenceOf } from "./facts.ts";
import type { Counted } from "./protocol.ts";
import { asInPython, quoted } from "./quoting.ts";
import { expectName, type Json, wrong } from "./reading.ts";

/** What a kernel says is impossible. */
interface Fault {
  fault: string;
  reason?: Why;
}

/** Types as messages name them. */
const TYPES = { string: "str", integer: "int", boolean: "bool", array: "array", object: "object" } as const;

/** Count a real game. Raises EngineError, which names what cannot be so. */
export function countReal(engine: Engine, real: unknown): Counted {
  const { real: form, options: known } = engine.facts;
  if (!form.properties) throw new EngineError("argument", "the engine counts no games with the real box");
  const given = checked(real, form, engine.game);
  const { properties } = form;
  const isEntry = (name: string) => name !== "game" && !Object.hasOwn(known, name);
  const options = Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(known, name)));
  const entries = Object.entries(properties).filter(([name]) => isEntry(name));
  const numbers = entries.flatMap(([name, part]) => numbersOf(given[name] ?? part.default, part, name));
  const found = JSON.parse(engine.countReal(options, numbers)) as Fault | (Counted & { shown?: Json });
  if ("fault" in found) throw wrong(found.fault + (found.reason ? sentenceOf(engine.facts, found.reason) : ""));
  const { sheet, view, shown } = found;
  return { sheet, view: view && { ...view, ...shown } };
}

// --- Form: the same errors as those of `msgspec`, with which a server reads it

function checked(real: unknown, form: RealForm, game: string): Json {
  if (typeNameOf(real) !== "object") refuse(`Expected \`object\`, got \`${typeNameOf(real)}\``, "$");
  const given = real as Json;
  if (!Object.hasOwn(given, "game")) refuse("Object missing required field `game`", "$");
  if (typeof given["game"] !== "string") refuse("Expected `str`", "$.game");
  if (given["game"] !== game) refuse(`Invalid value '${given["game"]}'`, "$.game");
  check(real, form, "$");
  return given;
}

function check(value: unknown, form: RealForm, place: string): void {
  if (value === null && form.nullable) return;
  const expected = TYPES[form.type ?? "string"];
  const found = typeNameOf(value);
  if (found !== expected) {
    refuse(`Expected \`${expected}${form.nullable ? " | null" : ""}\`, got \`${found}\``, place);
  }
  if (typeof value === "number") checkNumber(value, form, place);
  else if (typeof value === "string") checkText(value, form, place);
  else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) check(item, form.items!, `${place}[${i}]`);
    checkLength(value.length, form.maxItems, "array", place);
  } else if (form.properties) checkObject(value as Json, form, place);
  else if (found === "object") {
    const all = Object.values(value as Json);
    for (const item of all) check(item, form.additionalProperties as RealForm, `${place}[...]`);
    checkLength(all.length, form.maxProperties, "object", place);
  }
}

function checkNumber(value: number, { minimum, maximum }: RealForm, place: string): void {
  if (minimum !== undefined && value < minimum) refuse(`Expected \`int\` >= ${minimum}`, place);
  if (maximum !== undefined && value > maximum) refuse(`Expected \`int\` <= ${maximum}`, place);
}

function checkText(value: string, { enum: known, maxLength }: RealForm, place: string): void {
  if (known && !known.includes(value)) refuse(`Invalid enum value ${asInPython(value)}`, place);
  checkLength(Array.from(value).length, maxLength, "str", place);
}

function checkLength(length: number, most: number | undefined, what: string, place: string): void {
  if (most !== undefined && length > most) refuse(`Expected \`${what}\` of length <= ${most}`, place);
}

function checkObject(value: Json, { properties = {}, required = [] }: RealForm, place: string): void {
  for (const [name, part] of Object.entries(value)) {
    if (!Object.hasOwn(properties, name)) refuse(`Object contains unknown field \`${name}\``, place);
    check(part, properties[name]!, `${place}.${name}`);
  }
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) refuse(`Object missing required field \`${missing}\``, place);
}

function typeNameOf(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return TYPES.array;
  if (typeof value === "number") return Number.isInteger(value) ? TYPES.integer : "float";
  return TYPES[typeof value as "string" | "boolean" | "object"];
}

function refuse(message: string, place: string): never {
  throw wrong(place === "$" ? message : `${message} - at \`${place}\``);
}

// --- Entries as numbers: `numbers_of` of `core/real_game.py`

function numbersOf(value: unknown, form: RealForm, place: string): number[] {
  if (value === null) return [-1];
  if (form.move) return moveOf(value as string, form, place);
  if (form.names) return [nameOf(value, form, place)];
  if (Array.isArray(value)) {
    const each = form.items!.move?.each;
    const placeOf = (i: number) => (each ? `${each} ${i + 1}` : `${place}[${i}]`);
    return [value.length, ...value.flatMap((item, i) => numbersOf(item, form.items!, placeOf(i)))];
  }
  if (typeof value !== "object") return [Number(value)];
  if (form.properties) {
    return Object.entries(form.properties).flatMap(([name, part]) =>
      numbersOf((value as Json)[name], part, `${place}.${name}`),
    );
  }
  const all = Object.entries(value as Json);
  return [all.length, ...all.flatMap(([key, one]) => entryOf(key, one, form, place))];
}

function nameOf(value: unknown, { names, what }: RealForm, place: string): number {
  return expectName(value, names!, what!, place);
}

function entryOf(key: string, value: unknown, form: RealForm, place: string): number[] {
  const { names = [], what, rule } = form.propertyNames!;
  if (!names.includes(key)) throw wrong(`${place}: ${quoted(key)} is no ${what}; ${rule}`);
  return [names.indexOf(key), ...numbersOf(value, form.additionalProperties as RealForm, `${place}.${key}`)];
}

function moveOf(value: string, form: RealForm, place: string): number[] {
  const { rest, letters, says } = form.move!;
  const [word = ""] = value.split("@", 1);
  const number = nameOf(word, form, `${place}: the ${form.what}`);
  const found = new RegExp(`^(?:${rest})$`).exec(value.slice(word.length));
  if (!found) throw wrong(`${place}: ${quoted(value)} ${says}`);
  return [number, ...found.slice(1).map((group) => (letters.includes(group) ? letters.indexOf(group) : Number(group)))];
}
