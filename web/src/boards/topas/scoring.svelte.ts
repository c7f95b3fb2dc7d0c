// The card that was just laid: its rows light up one after the other while the points count up. When a column of a game
// for one is full, the table lingers until its last card has been counted.

import type { Laid, Row, TopasView } from "../../lib/messages";
import { covered, halvesOf, squareOf } from "./grid";
import { placement } from "./offer";
import { rowsThrough } from "./rows";

const STEP = 320;
const HOLD = 1700;

function same(before: TopasView, after: TopasView): boolean {
  return before.table.length === after.table.length && before.columns.length === after.columns.length;
}

/** The cards that one more card makes of a table, if that is what happened between two views. */
function grown(before: TopasView, after: TopasView, said: string | null): Laid[] | null {
  const count = before.table.length;
  const goesOn = before.table.every((laid, i) => laid.card === after.table[i]?.card);
  if (goesOn && after.table.length === count + 1) return after.table;
  if (after.columns.length !== before.columns.length + 1 || said === null) return null;
  const { card, cell, heading } = placement(said);
  return [...before.table, { card, ...squareOf(cell), heading, seat: before.seat }];
}

function gained(before: TopasView, after: TopasView, seat: number): number {
  const now = after.columns.length > before.columns.length ? after.columns.at(-1) : after.scores?.[seat];
  return (now ?? 0) - (before.scores?.[seat] ?? 0);
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
  said: string | null = null;

  readonly rows = $derived(this.#all.slice(0, this.#lit));

  /** From view to view: if a card has come, count it. */
  follow(view: TopasView): void {
    const before = this.#before;
    this.#before = view;
    if (!before || same(before, view)) return;
    this.stop();
    const table = grown(before, view, this.said);
    const laid = table?.at(-1);
    this.said = null;
    if (!table || !laid) return;
    if (table !== view.table) this.lingering = table;
    this.#count(table, laid, gained(before, view, laid.seat ?? 0));
  }

  /** Whoever goes on need not wait for the end. */
  stop(): void {
    clearTimeout(this.#next);
    this.#all = [];
    this.#lit = 0;
    this.points = null;
    this.cells = null;
    this.lingering = null;
  }

  #count(table: Laid[], laid: Laid, points: number): void {
    const halves = halvesOf(laid);
    this.#all = rowsThrough(covered(table), halves);
    this.cells = halves.map((half) => half.cell);
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
