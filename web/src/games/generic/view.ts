// What can be made of a view without knowing its game: a grid of the cells that it names, what lies on them, the moves
// by kind, and everything else as a list of facts.

import { cellAt, cellName } from "../../core/board";

/** What every view has, and whatever else the server says. */
export interface GenericView {
  viewer: number | null;
  seat: number | null;
  over: boolean;
  scores: number[] | null;
  moves?: GenericMove[];
  [field: string]: unknown;
}

export interface GenericMove {
  say: string;
  kind?: string | null;
  piece?: string | null;
  cells?: string[];
  points?: number | null;
}

export interface Grid {
  /** Cell names, row by row from the north. */
  rows: string[][];
  /** What lies on a cell, as text. */
  holds: Map<string, string>;
}

const CELL = /^[a-z][1-9]\d?$/;
/** Fields that the page shows elsewhere, or that say nothing of the position. */
const KNOWN = ["game", "options", "viewer", "seat", "over", "scores", "winners", "moves", "phase"];

/** The grid that holds every cell of a view; undefined for a game without cells. */
export function gridOf(view: GenericView): Grid | undefined {
  const places = [...cellsIn(view)].map(cellAt);
  if (!places.length) return undefined;
  const columns = 1 + Math.max(...places.map(({ column }) => column));
  const rows = 1 + Math.max(...places.map(({ row }) => row));
  const names = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => cellName(column, row)),
  );
  return { rows: names.toReversed(), holds: contents(view, names.flat()) };
}

/** All cell names in a value, keys of objects included. */
function cellsIn(value: unknown): Set<string> {
  if (typeof value === "string") return new Set(CELL.test(value) ? [value] : []);
  if (typeof value !== "object" || value === null) return new Set();
  const inside = Array.isArray(value) ? value : [...Object.keys(value), ...Object.values(value)];
  return new Set(inside.flatMap((one) => [...cellsIn(one)]));
}

/** What fields say of cells: objects by cell name, and lists with an item a cell, row by row from a1. */
function contents(view: GenericView, cells: string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const value of Object.values(view)) {
    for (const [cell, item] of itemsByCell(value, cells)) {
      const text = words(item);
      if (text) found.set(cell, [found.get(cell), text].filter(Boolean).join(" "));
    }
  }
  return found;
}

function itemsByCell(value: unknown, cells: string[]): [string, unknown][] {
  if (Array.isArray(value)) return value.length === cells.length ? cells.map((cell, i) => [cell, value[i]]) : [];
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return entries.length && entries.every(([key]) => CELL.test(key)) ? entries : [];
}

/** The moves in groups of a kind; in a game of one kind, those of each piece. */
export function byKind(moves: readonly GenericMove[]): [string, GenericMove[]][] {
  return [...Map.groupBy(moves, ({ kind, piece }) => kind ?? piece ?? "")];
}

/** The moves that concern a cell. */
export function movesAt(moves: readonly GenericMove[], cell: string): GenericMove[] {
  return moves.filter(({ cells }) => cells?.includes(cell));
}

/** The other fields of a view by name, those that lie on the grid left out. */
export function factsOf(view: GenericView, grid: Grid | undefined): [string, string][] {
  const cells = grid?.rows.flat() ?? [];
  return Object.entries(view)
    .filter(([name, value]) => !KNOWN.includes(name) && !itemsByCell(value, cells).length)
    .map(([name, value]): [string, string] => [name.replaceAll("_", " "), words(value)])
    .filter(([, text]) => text !== "");
}

/** A value in plain text; nothing for what is empty. */
function words(value: unknown): string {
  if (value === null || value === undefined || value === "") return "";
  if (Array.isArray(value)) return value.map((item) => words(item) || "–").join(", ");
  if (typeof value !== "object") return String(value);
  return Object.entries(value)
    .filter(([, item]) => words(item) !== "")
    .map(([key, item]) => `${key} ${words(item)}`)
    .join(", ");
}
