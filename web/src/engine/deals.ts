// A deal, read by its form: `core/deals.py`.

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
  const isNumbered = typeof part.names === "number";
  const names = typeof part.names === "number" ? range([1, part.names + 1, 1]).map(String) : part.names;
  const found: number[] = [];
  const read = (value: unknown, places: number | Places | Places[], place: string): void => {
    if (typeof places === "number") {
      found[places] = isNumbered
        ? expectInteger(value, 1, names.length, place) - 1
        : expectName(value, names, what, place);
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

function isRange(places: Places | Places[]): places is Places {
  return typeof places[0] === "number";
}

function range([start, stop, step]: Places): number[] {
  return Array.from({ length: Math.max(0, Math.ceil((stop - start) / step)) }, (_, i) => start + step * i);
}
