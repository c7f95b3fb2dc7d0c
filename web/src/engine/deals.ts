// A deal, read by its form: `core/inputs/deals.py`.

import { quoted } from "./quoting.ts";
import { expectEachOnce, expectInteger, expectKey, expectList, expectName, type Json, wrong } from "./reading.ts";

/** As `range` of Python takes them: start, stop, step. */
type Places = [number, number, number];

interface Chosen {
  type: "chosen";
  key: string;
  field: string;
  values: [string | null, number][];
  rule: string;
}

interface Counted {
  type: "counted";
  key: string;
  field: string;
  low: number;
  counts: number[];
  what: string;
  otherwise: string;
  counts_key: string;
}

interface Spread {
  type: "spread";
  field: string;
  what: string;
  names: string[] | number;
  parts: Record<string, number | Places | Places[]>;
  removed: string | null;
  size: number;
}

export type Form = readonly (Chosen | Counted | Spread)[];

export function keysOf(form: Form): string[] {
  return form.flatMap((part) => (part.type === "spread" ? Object.keys(part.parts) : [part.key]));
}

/** Return a form with the counts of a box, of which these are the fields. */
export function withBox(form: Form, box: ReadonlyMap<string, number[]>): Form {
  return form.map((part) => {
    const counts = part.type === "counted" && box.get(part.counts_key);
    return counts ? { ...part, counts, otherwise: "" } : part;
  });
}

/** Return the values of fields of the state that a deal gives. Raises EngineError. */
export function readParts(deal: Json, form: Form): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const part of form) {
    if (part.type === "chosen") found.set(part.field, [chosen(deal, part)]);
    else if (part.type === "counted") found.set(part.field, counted(deal, part));
    else found.set(part.field, spread(deal, part, part.removed === null ? -1 : found.get(part.removed)![0]!));
  }
  return found;
}

function chosen(deal: Json, { key, values, rule }: Chosen): number {
  const value = expectKey(deal, key, "deal");
  const found = values.find(([allowed]) => allowed === value);
  if (!found) throw wrong(`deal.${key} is ${quoted(value)}; ${rule}`);
  return found[1];
}

function counted(deal: Json, { key, low, counts, what, otherwise }: Counted): number[] {
  const place = `deal.${key}`;
  const length = counts.reduce((sum, count) => sum + count, 0);
  const high = low + counts.length - 1;
  const numbers = expectList(expectKey(deal, key, "deal"), length, place).map((value, i) =>
    expectInteger(value, low, high, `${place}[${i}]`),
  );
  for (const [i, count] of counts.entries()) {
    const there = numbers.filter((number) => number === low + i).length;
    if (there === count) continue;
    throw wrong(`${place} has ${there} ${what} of ${low + i}; it must have ${count}${otherwise}`);
  }
  return numbers;
}

function spread(deal: Json, part: Spread, removed: number): number[] {
  const { what } = part;
  const names = namesOf(part);
  const found: number[] = [];
  const read = (value: unknown, places: number | Places | Places[], place: string): void => {
    if (typeof places === "number") {
      found[places] = numberOf(value, part, place);
      return;
    }
    const inner = isRange(places) ? range(places) : places;
    for (const [i, entry] of expectList(value, inner.length, place).entries()) read(entry, inner[i]!, `${place}[${i}]`);
  };
  for (const [key, places] of Object.entries(part.parts)) read(expectKey(deal, key, "deal"), places, `deal.${key}`);
  const there = range([0, names.length, 1]).filter((n) => removed < 0 || Math.floor(n / part.size) !== removed);
  expectEachOnce(found, there, names, `${what}s`);
  return found;
}

function namesOf({ names }: Spread): string[] {
  return typeof names === "number" ? range([1, names + 1, 1]).map(String) : names;
}

/** Return the number of a card, or other thing. */
function numberOf(value: unknown, { names, what }: Spread, place: string): number {
  return typeof names === "number" ? expectInteger(value, 1, names, place) - 1 : expectName(value, names, what, place);
}

/**
 * Return what `readParts` finds in a deal, changed so that what lies open is as in another one: a card changes places
 * with the one that lay there, and what is removed with what was. Raises EngineError.
 */
export function readWithOpenPart(deal: Json, other: Json, form: Form, open: readonly string[]): Map<string, number[]> {
  const found = readParts(deal, form);
  const change = (field: string, of: (number: number) => number) => void found.set(field, found.get(field)!.map(of));
  for (const part of form) {
    if (part.type === "counted" && open.includes(part.key)) found.set(part.field, counted(other, part));
    if (part.type === "chosen" && open.includes(part.key)) {
      const before = found.get(part.field)![0]!;
      const after = chosen(other, part);
      found.set(part.field, [after]);
      for (const { field, size } of form.filter(isSpread).filter(({ removed }) => removed === part.field)) {
        change(field, (n) => exchanged(Math.floor(n / size), before, after) * size + (n % size));
      }
    }
    if (!isSpread(part)) continue;
    for (const key of open) {
      const place = part.parts[key];
      if (typeof place !== "number") continue;
      const before = found.get(part.field)![place]!;
      const after = numberOf(expectKey(other, key, "deal"), part, `deal.${key}`);
      change(part.field, (n) => exchanged(n, before, after));
    }
  }
  return found;
}

function isSpread(part: Form[number]): part is Spread {
  return part.type === "spread";
}

function exchanged(number: number, one: number, other: number): number {
  return number === one ? other : number === other ? one : number;
}

function isRange(places: Places | Places[]): places is Places {
  return typeof places[0] === "number";
}

function range([start, stop, step]: Places): number[] {
  return Array.from({ length: Math.max(0, Math.ceil((stop - start) / step)) }, (_, i) => start + step * i);
}
