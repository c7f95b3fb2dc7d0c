// What is in the box of a game, read by its form: `core/inputs/boxes.py`.

import type { EngineError } from "./errors.ts";
import { quoted } from "./quoting.ts";
import {
  expectInteger,
  expectKey,
  expectList,
  expectObject,
  expectOnly,
  isWhole,
  type Json,
  wrong,
} from "./reading.ts";

interface Drawn {
  type: "drawn";
  key: string;
  field: string;
  count: number;
  marks: string;
  width: number;
  file_key: string;
}

interface Summed {
  type: "summed";
  key: string;
  field: string;
  count: number;
  what: string;
  total: number;
}

interface Placed {
  type: "placed";
  key: string;
  field: string;
  cells: string[];
  count: number;
  room: number;
}

type Part = Drawn | Summed | Placed;
export type BoxForm = readonly Part[];
type Fields = Map<string, number[]>;

/** What was found in a box file. */
export interface BoxFindings {
  /** What is wrong: in which part (empty where it is none of them), at which card of its list or number of players. */
  problems: { key: string; at?: number; message: string }[];
  /** Cards that are another one before them, turned clockwise by a number of quarters; legal, though hardly meant. */
  twins: { card: number; other: number; quarters: number }[];
}

/** Takes what is wrong in a part of a box file, and at which card or number of players. It may throw it. */
type Report = (error: EngineError, key: string, at?: number) => void;

const NOTE = "note";
/** The number of a picture that can't be read. */
const UNREAD = -1;

/**
 * Return the fields that a box gives: keys of a deal, or the content of a box file, for a number of players out of
 * `seats`. Raises EngineError.
 */
export function readAnyBox(given: unknown, form: BoxForm, players: number, seats: readonly number[]): Fields {
  const box = Array.isArray(given) ? { [form[0]!.key]: given } : expectObject(given, "the box file");
  const keys = form.map(({ key }) => key);
  const inFile = ({ type, key }: Part) => type === "placed" && isObject(box[key]);
  const isDeal = Object.keys(box).every((key) => keys.includes(key)) && !form.some(inFile);
  return isDeal ? readBox(box, form, players, "box") : readBoxFile(box, form, players, seats);
}

/** Return the fields that the keys of a deal give. Raises EngineError. */
export function readBox(box: Json, form: BoxForm, players: number, place: string): Fields {
  const there = form.filter(({ key }) => Object.hasOwn(box, key));
  return new Map(there.map((part) => [part.field, read(box[part.key], part, players, `${place}.${part.key}`)]));
}

/** Return all that is wrong with the content of a box file, and which of its pictures are turned others. */
export function inspectBoxFile(data: unknown, form: BoxForm, seats: readonly number[]): BoxFindings {
  const problems: BoxFindings["problems"] = [];
  const report: Report = ({ message }, key, at) => problems.push({ key, ...(at !== undefined && { at }), message });
  const found = new Map<string, number[]>();
  attempt(report, "", undefined, () => {
    for (const [field, numbers] of readBoxFile(expectObject(data, "the box file"), form, 0, seats, report)) {
      found.set(field, numbers);
    }
  });
  return { problems, twins: form.flatMap((part) => (part.type === "drawn" ? twins(found, part) : [])) };
}

/** Return the content of a box file: what is in the fields of a new game for each number of players. */
export function writeBoxFile(
  form: BoxForm,
  seats: readonly number[],
  fieldOf: (name: string, players: number) => number[],
): Record<string, unknown> {
  const content: [string, unknown][] = form.map((part) => {
    const numbers = fieldOf(part.field, seats[0]!);
    if (part.type === "summed") return [part.key, numbers];
    if (part.type === "drawn") {
      return [part.file_key, numbers.map((number, i) => ({ id: i + 1, rows: rowsOf(number, part) }))];
    }
    return [part.key, Object.fromEntries(seats.map((n) => [n, startsOf(fieldOf(part.field, n), n, part)]))];
  });
  return Object.fromEntries(content);
}

function startsOf(cells: readonly number[], players: number, { count, cells: names }: Placed): string[][] {
  return Array.from({ length: players }, (_, seat) =>
    cells.slice(seat * count, (seat + 1) * count).map((cell) => names[cell]!),
  );
}

function readBoxFile(
  data: Json,
  form: BoxForm,
  players: number,
  seats: readonly number[],
  report: Report = (error) => {
    throw error;
  },
): Fields {
  const keys = form.map((part) => (part.type === "drawn" ? part.file_key : part.key));
  attempt(report, "", undefined, () => expectOnly(data, [NOTE, ...keys], "the box file"));
  if (!keys.some((key) => Object.hasOwn(data, key))) throw wrong(`the box file has none of ${keys.join(", ")}`);
  const found: Fields = new Map();
  for (const [i, part] of form.entries()) {
    const key = keys[i]!;
    if (!Object.hasOwn(data, key)) continue;
    attempt(report, key, undefined, () => {
      if (part.type === "drawn") found.set(part.field, cards(data[key], part, report));
      else if (part.type === "summed") found.set(part.field, read(data[key], part, players, key));
      else {
        const given = expectObject(data[key], key);
        expectOnly(given, seats.map(String), key);
        for (const number of seats.filter((one) => Object.hasOwn(given, one))) {
          attempt(report, key, number, () => {
            const cells = read(given[number], part, number, `${key}.${number}`);
            if (number === players) found.set(part.field, cells);
          });
        }
      }
    });
  }
  return found;
}

function attempt(report: Report, key: string, at: number | undefined, work: () => void): void {
  try {
    work();
  } catch (error) {
    report(error as EngineError, key, at);
  }
}

function read(given: unknown, part: Part, players: number, place: string): number[] {
  if (part.type === "summed") return summed(given, part, place);
  if (part.type === "placed") return placed(given, part, players, place);
  return expectList(given, part.count, place).map((rows, i) => picture(rows, part, `${place}[${i}]`));
}

function summed(given: unknown, { count, what, total }: Summed, place: string): number[] {
  const numbers = expectList(given, count, place).map((one, i) => expectInteger(one, 0, total, `${place}[${i}]`));
  const sum = numbers.reduce((a, b) => a + b, 0);
  if (sum !== total) throw wrong(`${place} has ${sum} ${what}; the board has ${total} cells`);
  return numbers;
}

function placed(given: unknown, part: Placed, players: number, place: string): number[] {
  const cells: number[] = [];
  for (const [seat, names] of expectList(given, players, place).entries()) {
    for (const [i, name] of expectList(names, part.count, `${place}[${seat}]`).entries()) {
      const at = `${place}[${seat}][${i}]`;
      const cell = part.cells.indexOf(name as string);
      const right = `it must be a cell from ${part.cells[0]} to ${part.cells.at(-1)}`;
      if (cell < 0) throw wrong(`${at} is ${quoted(name)}; ${right}`);
      if (cells.includes(cell)) throw wrong(`${at} is ${name as string}, where another pawn starts already`);
      cells.push(cell);
    }
  }
  return [...cells, ...Array<number>(part.room - cells.length).fill(-1)];
}

function cards(given: unknown, part: Drawn, report: Report): number[] {
  const { file_key: key, count } = part;
  const pictures = new Map<number, number>();
  for (const [i, card] of expectList(given, count, key).entries()) {
    attempt(report, key, i, () => {
      const place = `${key}[${i}]`;
      const fields = expectObject(card, place);
      const number = expectKey(fields, "id", place);
      if (!isWhole(number, 1, count) || pictures.has(number)) {
        throw wrong(`${place}.id is ${quoted(number)}; every number from 1 to ${count} must be there once`);
      }
      pictures.set(number, UNREAD);
      pictures.set(number, picture(expectKey(fields, "rows", place), part, place));
    });
  }
  return Array.from({ length: count }, (_, i) => pictures.get(i + 1) ?? UNREAD);
}

/** Return which pictures are others before them, turned clockwise by a number of quarters. */
function twins(fields: ReadonlyMap<string, number[]>, part: Drawn): BoxFindings["twins"] {
  const found: BoxFindings["twins"] = [];
  const first = new Map<number, number>();
  for (const [i, number] of (fields.get(part.field) ?? []).entries()) {
    if (number === UNREAD) continue;
    let turned = number;
    let quarters = 4;
    while (quarters > 0 && !first.has(turned)) {
      turned = turn(turned, part);
      quarters -= 1;
    }
    if (quarters > 0) found.push({ card: i + 1, other: first.get(turned)!, quarters: quarters % 4 });
    else first.set(number, i + 1);
  }
  return found;
}

/** Return the number of a picture that is turned clockwise by a quarter. */
function turn(number: number, part: Drawn): number {
  return numberOf(
    offsetsOf(number, part).map(({ east, north }) => ({ east: north, north: -east })),
    part,
  );
}

/** Return the rows of a picture without empty ones around it. */
function rowsOf(number: number, part: Drawn): string[] {
  const cells = [{ east: 0, north: 0 }, ...offsetsOf(number, part)];
  const [easts, norths] = [cells.map(({ east }) => east), cells.map(({ north }) => north)];
  const [west, south] = [Math.min(...easts), Math.min(...norths)];
  const [width, height] = [Math.max(...easts) - west + 1, Math.max(...norths) - south + 1];
  const markAt = (east: number, north: number) =>
    part.marks[cells.findIndex((cell) => cell.east - west === east && cell.north - south === north)] ?? ".";
  return Array.from({ length: height }, (_, i) =>
    Array.from({ length: width }, (_, east) => markAt(east, height - 1 - i)).join(""),
  );
}

/** Return the number of a picture: the offsets of the other marks from the first one, as digits. */
function picture(given: unknown, part: Drawn, place: string): number {
  const marks = [...part.marks];
  const once = `${marks.slice(0, -1).join(", ")} and ${marks.at(-1)!} once each`;
  const where = new Map<string, Offset>();
  for (const [south, line] of lines(given, part, `${place}.rows`).entries()) {
    for (const [east, mark] of [...line].entries()) {
      if (where.has(mark)) throw wrong(`${place} shows ${mark} twice; it must show ${once}`);
      if (mark !== ".") where.set(mark, { east, north: -south });
    }
  }
  const missing = marks.filter((mark) => !where.has(mark));
  if (missing.length) throw wrong(`${place} does not show ${missing.join(", ")}; it must show ${once}`);
  const [first, ...others] = marks.map((mark) => where.get(mark)!);
  const offsets = others.map(({ east, north }) => ({ east: east - first!.east, north: north - first!.north }));
  return numberOf(offsets, part);
}

/** Where a mark is, from the first one. */
interface Offset {
  east: number;
  north: number;
}

function numberOf(offsets: readonly Offset[], { width }: Drawn): number {
  const [most, reach] = [width - 1, 2 * width - 1];
  return offsets.reduce((number, { east, north }) => number * reach ** 2 + (north + most) * reach + east + most, 0);
}

/** The inverse of `numberOf`. */
function offsetsOf(number: number, { marks, width }: Drawn): Offset[] {
  const [most, reach] = [width - 1, 2 * width - 1];
  const offsets: Offset[] = [];
  for (let left = number; offsets.length < marks.length - 1; left = Math.floor(left / reach ** 2)) {
    const digit = left % reach ** 2;
    offsets.unshift({ east: (digit % reach) - most, north: Math.floor(digit / reach) - most });
  }
  return offsets;
}

function lines(rows: unknown, { marks, width }: Drawn, place: string): string[] {
  if (!Array.isArray(rows)) throw wrong(`${place} is ${quoted(rows)}; it must be a list of 1 to ${width} rows`);
  if (rows.length < 1 || rows.length > width)
    throw wrong(`${place} has ${rows.length} rows; it must have 1 to ${width}`);
  const known = new Set(`${marks}.`);
  for (const line of rows as unknown[]) {
    const isRow = typeof line === "string" && line.length >= 1 && line.length <= width;
    if (!isRow || ![...line].every((mark) => known.has(mark))) {
      const allowed = `${[...marks].join(", ")} and "."`;
      throw wrong(`${place} has ${quoted(line)}; a row is 1 to ${width} of ${allowed}, like "${marks[1]}.${marks[2]}"`);
    }
    if (line.length !== (rows[0] as string).length) {
      throw wrong(`${place} has ${quoted(line)} beside ${quoted(rows[0])}; all rows must be equally long`);
    }
  }
  return rows as string[];
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
