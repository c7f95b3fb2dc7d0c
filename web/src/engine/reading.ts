// Validation of decoded JSON, as `core/inputs/reading.py`: an error names the place and what would be valid.

import { EngineError } from "./errors.ts";
import { listed, quoted } from "./quoting.ts";

/** What is wrong with a record, and in which of its moves. */
export function wrong(message: string, ply?: number): EngineError {
  return new EngineError("record", ply === undefined ? message : `ply ${ply}: ${message}`, { ply });
}

export type Json = Readonly<Record<string, unknown>>;

export function expectObject(value: unknown, place: string): Json {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Json;
  throw wrong(`${place} is ${quoted(value)}; it must be an object`);
}

export function expectKey(value: Json, key: string, place: string): unknown {
  if (!Object.hasOwn(value, key)) throw wrong(`${place} has no ${quoted(key)}`);
  return value[key];
}

export function expectOnly(value: Json, known: readonly string[], place: string): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) throw wrong(`${place} has an unknown part ${quoted(key)}; known: ${known.join(", ")}`);
  }
}

export function expectList(value: unknown, length: number, place: string): unknown[] {
  if (!Array.isArray(value)) throw wrong(`${place} is ${quoted(value)}; it must be a list of ${length}`);
  if (value.length !== length) throw wrong(`${place} has ${value.length} entries; it must have ${length}`);
  return value;
}

export function isWhole(value: unknown, low: number, high: number): value is number {
  return Number.isInteger(value) && (value as number) >= low && (value as number) <= high;
}

export function expectInteger(value: unknown, low: number, high: number, place: string): number {
  if (isWhole(value, low, high)) return value;
  throw wrong(`${place} is ${quoted(value)}; it must be a whole number from ${low} to ${high}`);
}

export function expectName(value: unknown, names: readonly string[], what: string, place: string): number {
  const number = typeof value === "string" ? names.indexOf(value) : -1;
  if (number >= 0) return number;
  throw wrong(`${place} is ${quoted(value)}, no ${what}; a ${what} is written like ${quoted(names[0])}`);
}

/** Check that `numbers` has each of `all` exactly once. */
export function expectEachOnce(
  numbers: readonly number[],
  all: readonly number[],
  names: readonly string[],
  what: string,
): void {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  const there = [...counts.keys()].sort((a, b) => a - b);
  const faults = [
    ["there twice", there.filter((number) => counts.get(number)! > 1)],
    ["missing", all.filter((number) => !counts.has(number))],
    ["that do not belong there", there.filter((number) => !all.includes(number))],
  ] as const;
  const said = faults
    .filter(([, some]) => some.length)
    .map(([text, some]) => `${what} ${text}: ${listed(some.map((number) => names[number]!))}`);
  if (said.length) throw wrong(said.join("; "));
}
