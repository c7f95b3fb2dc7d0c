// The card that was just laid: its rows light up one after the other while the points count up. When a column of a game
// for one is full, the table lingers until its last card has been counted.

import type { Laid, Row, Scored, TopasMove, TopasView } from "../../../client/messages";
import { squareOf } from "./grid";

const STEP = 320;
const HOLD = 1700;

function same(before: TopasView, after: TopasView): boolean {
  return before.table.length === after.table.length && before.columns.length === after.columns.length;
}

/** A table with one more card, and what that card scored. */
interface Grown {
  table: Laid[];
  scored: Scored;
}

/** What one more card makes of a table, if that is what happened between two views. */
function grown(before: TopasView, after: TopasView, played: TopasMove | null): Grown | null {
  const count = before.table.length;
  const goesOn = before.table.every((laid, i) => laid.card === after.table[i]?.card);
  if (goesOn && after.table.length === count + 1) {
    return after.latest ? { table: after.table, scored: after.latest } : null;
  }
  // A full column is cleared at once: only who laid its last card knows which it was.
  if (after.columns.length !== before.columns.length + 1 || !played?.rows) return null;
  const { piece, cells, heading, rows, points } = played;
  const laid = { card: piece, ...squareOf(cells[0] ?? ""), heading, seat: before.seat };
  return { table: [...before.table, laid], scored: { cells, rows, points: points ?? 0 } };
}

export class Scoring {
  #before: TopasView | null = null;
  #next: ReturnType<typeof setTimeout> | undefined;
  #all = $state.raw<Row[]>([]);
  #lit = $state(0);
  /** The points of the card once they are counted. */
  points = $state.raw<number | null>(null);
  /** The squares of the card that is being counted. */
  cells = $state.raw<string[] | null>(null);
  /** A full table that is about to be cleared. */
  lingering = $state.raw<Laid[] | null>(null);
  /** What this page has just played. */
  played: TopasMove | null = null;

  readonly rows = $derived(this.#all.slice(0, this.#lit));

  /** From view to view: if a card has come, count it. */
  follow(view: TopasView): void {
    const before = this.#before;
    this.#before = view;
    if (!before || same(before, view)) return;
    this.stop();
    const now = grown(before, view, this.played);
    this.played = null;
    if (!now) return;
    if (now.table !== view.table) this.lingering = now.table;
    this.#count(now.scored);
  }

  /** A player who goes on need not wait for the end. */
  stop(): void {
    clearTimeout(this.#next);
    this.#all = [];
    this.#lit = 0;
    this.points = null;
    this.cells = null;
    this.lingering = null;
  }

  #count({ cells, rows, points }: Scored): void {
    this.#all = rows;
    this.cells = cells;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#light(points, still ? 0 : STEP);
  }

  #light(points: number, step: number): void {
    this.#lit += 1;
    if (this.#lit < this.#all.length) {
      this.#next = setTimeout(() => this.#light(points, step), step);
      return;
    }
    this.#next = setTimeout(() => {
      this.points = points;
      this.#next = setTimeout(() => this.stop(), HOLD);
    }, step);
  }
}
