// A box that is being written: figures on the grids of 32 cards, counts, starting cells. Anything may be missing yet;
// the engine says what is wrong with it as a file.

import { cellAt, cellName } from "../../../core/board";
import { MARKS, SIZE } from "../board/pawns";

/** Rows and columns of the grid on which a card is drawn. */
export const GRID = 5;
/** Rows and columns of the frame of a card, at least. */
const LEAST = 3;
export const CARDS = 32;
export const VALUES = [1, 2, 3] as const;
export const PLAYERS = [2, 3, 4] as const;
export type Players = (typeof PLAYERS)[number];

/** Where something stands, or null: on the grid of a card or in the garden, row by row from the north-west. */
export type Place = number | null;
/** The places of king, gardener and architect. */
export type Figure = readonly Place[];

export interface Draft {
  note: string;
  cards: readonly Figure[];
  /** By value. */
  tiles: readonly (number | null)[];
  /** By the number of players: the places of each seat's king, gardener and architect. */
  starts: Readonly<Record<Players, readonly Place[]>>;
}

/** A square, which may lie partly beside the grid. */
export interface Frame {
  west: number;
  north: number;
  size: number;
}

type Rows = string[];

export function emptyDraft(): Draft {
  return draftOf({});
}

/** What can be taken from the content of a box file, or of anything. */
export function draftOf(given: unknown): Draft {
  const { note, cards, tiles, starts } = objectOf(given);
  return {
    note: typeof note === "string" ? note : "",
    cards: figuresOf(listOf(cards)),
    tiles: VALUES.map((_, i) => numberIn(listOf(tiles)[i])),
    starts: { 2: placesOf(starts, 2), 3: placesOf(starts, 3), 4: placesOf(starts, 4) },
  };
}

/** The draft as the content of a box file; parts in which there is nothing yet are left out. */
export function contentOf(draft: Draft, rows: (figure: Figure) => Rows = rowsOf): Record<string, unknown> {
  const begun = PLAYERS.filter((n) => isBegun(draft.starts[n]));
  return {
    ...(draft.note && { note: draft.note }),
    ...(draft.cards.some(isBegun) && { cards: draft.cards.map((card, i) => ({ id: i + 1, rows: rows(card) })) }),
    ...(isBegun(draft.tiles) && { tiles: draft.tiles }),
    ...(begun.length && { starts: Object.fromEntries(begun.map((n) => [n, seatsOf(draft.starts[n])])) }),
  };
}

/** The box file, with a line for each card. */
export function fileOf(draft: Draft): string {
  const parts = Object.entries(contentOf(draft)).map(([key, value]) => {
    const lines = key === "cards" && (value as unknown[]).map((one) => `\n  ${JSON.stringify(one)}`);
    return ` "${key}": ${lines ? `[${lines.join(",")}\n ]` : JSON.stringify(value)}`;
  });
  return `{\n${parts.join(",\n")}\n}\n`;
}

/** The draft as it is kept: `draftOf` gives it back as it is, figures at the same places of their grids. */
export function keptOf(draft: Draft): string {
  return JSON.stringify(contentOf(draft, (figure) => rowsIn(figure, { west: 0, north: 0, size: GRID })));
}

export function isBegun(places: readonly (number | null)[]): boolean {
  return places.some((place) => place !== null);
}

/** The smallest frame that holds a figure, with the figure in its south-west corner. */
export function frameOf(figure: Figure): Frame {
  const there = figure.filter((place) => place !== null);
  if (!there.length) return { west: 1, north: 1, size: LEAST };
  const [rows, columns] = [there.map((place) => Math.floor(place / GRID)), there.map((place) => place % GRID)];
  const [north, south] = [Math.min(...rows), Math.max(...rows)];
  const [west, east] = [Math.min(...columns), Math.max(...columns)];
  const size = Math.max(LEAST, south - north + 1, east - west + 1);
  return { west, north: south - size + 1, size };
}

/** The rows of a card, as it is drawn. */
export function rowsOf(figure: Figure): Rows {
  return rowsIn(figure, frameOf(figure));
}

/** Whether a place is in a frame that is moved onto the grid. */
export function isIn({ west, north, size }: Frame, place: number): boolean {
  const row = Math.floor(place / GRID) - Math.max(north, 0);
  const column = (place % GRID) - Math.min(west, GRID - size);
  return row >= 0 && row < size && column >= 0 && column < size;
}

/** A figure that is turned clockwise by a quarter, about the middle of the grid. */
export function turned(figure: Figure): Figure {
  return figure.map((place) => (place === null ? null : (place % GRID) * GRID + GRID - 1 - Math.floor(place / GRID)));
}

/** What is put down next while the places are these. */
export interface Chosen {
  places: readonly Place[];
  chosen: number;
}

/** What is put down next: what was chosen while the places were the same ones, else the first that is missing. */
export function chosenAt(places: readonly Place[], last?: Chosen): number {
  return last?.places === places ? last.chosen : Math.max(0, places.indexOf(null));
}

/** Press a place: what stands there is taken up, else what is chosen is put there, and the next that is missing is chosen. */
export function pressed(places: readonly Place[], chosen: number, place: number): Chosen {
  const there = places.indexOf(place);
  if (there >= 0) return { places: places.with(there, null), chosen: there };
  const put = places.with(chosen, place);
  const missing = put.map((_, i) => (chosen + i) % put.length).find((i) => put[i] === null);
  return { places: put, chosen: missing ?? chosen };
}

/** The name of a cell of the garden. */
export function nameOf(place: number): string {
  return cellName(place % SIZE, SIZE - 1 - Math.floor(place / SIZE));
}

function placeOf(cell: unknown): Place {
  if (typeof cell !== "string" || !/^[a-z]\d$/.test(cell)) return null;
  const { column, row } = cellAt(cell);
  return column < SIZE && row >= 0 && row < SIZE ? (SIZE - 1 - row) * SIZE + column : null;
}

function seatsOf(places: readonly Place[]): (string | null)[][] {
  const names = places.map((place) => (place === null ? null : nameOf(place)));
  return Array.from({ length: names.length / MARKS.length }, (_, seat) =>
    names.slice(seat * MARKS.length, (seat + 1) * MARKS.length),
  );
}

function placesOf(starts: unknown, players: Players): Place[] {
  const given = listOf(objectOf(starts)[players]);
  const seats = Array.from({ length: players }, (_, seat) => listOf(given[seat]));
  const places = seats.flatMap((cells) => MARKS.map((_, i) => placeOf(cells[i])));
  return places.map((place, i) => (places.indexOf(place) === i ? place : null));
}

/** Cards by their numbers; those without a number that is free take what is left, in their order. */
function figuresOf(given: unknown[]): Figure[] {
  const found = Array<Figure | undefined>(CARDS).fill(undefined);
  const rest: Figure[] = [];
  for (const card of given.map(objectOf)) {
    const at = typeof card["id"] === "number" ? card["id"] - 1 : -1;
    const figure = figureOf(listOf(card["rows"]));
    if (Number.isInteger(at) && at >= 0 && at < CARDS && !found[at]) found[at] = figure;
    else rest.push(figure);
  }
  return found.map((figure) => figure ?? rest.shift() ?? MARKS.map(() => null));
}

/** Where rows show the marks, in the middle of the grid; of a mark that is there twice the first one. */
function figureOf(rows: unknown[]): Figure {
  const texts = rows.map((row) => (typeof row === "string" ? row : ""));
  const south = Math.max(0, (GRID - texts.length) >> 1);
  const east = Math.max(0, (GRID - Math.max(...texts.map(({ length }) => length))) >> 1);
  return MARKS.map((mark) => {
    const row = texts.findIndex((text) => text.includes(mark));
    const [down, right] = [row + south, (texts[row] ?? "").indexOf(mark) + east];
    return row >= 0 && down < GRID && right < GRID ? down * GRID + right : null;
  });
}

function rowsIn(figure: Figure, { west, north, size }: Frame): Rows {
  const rows = Array.from({ length: size }, () => Array<string>(size).fill("."));
  for (const [i, place] of figure.entries()) {
    if (place !== null) rows[Math.floor(place / GRID) - north]![(place % GRID) - west] = MARKS[i]!;
  }
  return rows.map((row) => row.join(""));
}

function numberIn(given: unknown): number | null {
  return Number.isInteger(given) && (given as number) >= 0 && (given as number) <= SIZE * SIZE
    ? (given as number)
    : null;
}

function listOf(given: unknown): unknown[] {
  return Array.isArray(given) ? (given as unknown[]) : [];
}

function objectOf(given: unknown): Record<string, unknown> {
  return typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {};
}
