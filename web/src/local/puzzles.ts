// The puzzles of games, which lie in files beside their engines, and which of them a day has.

import { entryOf } from "../core/catalogue";
import type { Move } from "../server/messages";
import { type Asked, GRADES, type Grade } from "./answers";

const FORMAT = "bosquet-puzzles/1";
/** The day of the first puzzles. */
const FIRST_DAY = Date.parse("2026-11-01");
const DAY = 86_400_000;

/** A turn and what is expected of it: `Result` of `lab/puzzles/puzzle.py`. */
export interface Result {
  /** In notation. */
  moves: Move["say"][];
  /** Chance to win, 0 … 1. */
  win: number;
  /** Points ahead of the best other seat at the end. */
  lead: number;
}

/** A position and its answer: `Puzzle` of `lab/puzzles/puzzle.py`. */
export interface Puzzle {
  id: string;
  /** What the seat to move knows, as text (docs/positions.md). */
  position: string;
  /** Find the turn that is best at the end, or one that wins at once. */
  task: "best" | "win";
  /** How many moves of the turn are asked for, at most; null for a whole turn. */
  asked: number | null;
  answers: string[][];
  best: Result;
  /** The best turn that is wrong. */
  second: Result;
  margin: number;
  turns: number;
  verified: "exact" | "search";
  simulations: number;
  /** The share of their tries in which bots found the answer. */
  found_by: Readonly<Record<string, number>>;
  grade: Grade;
}

/** The puzzles of a game by their grade. */
export type Stock = Readonly<Record<Grade, readonly Puzzle[]>>;

const stocks = new Map<string, Promise<Stock>>();

/** Fetch the puzzles of a game that has some; what failed is tried again the next time. */
export function stockOf(game: string): Promise<Stock> {
  let found = stocks.get(game);
  if (!found) {
    found = fetchStock(game);
    stocks.set(game, found);
    found.catch(() => stocks.delete(game));
  }
  return found;
}

async function fetchStock(game: string): Promise<Stock> {
  const address = entryOf(game)?.puzzles;
  if (!address) throw new Error(`${game} has no puzzles`);
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: status ${answer.status}`);
  return readStock(await answer.text());
}

/** Read a file of puzzles. */
export function readStock(text: string): Stock {
  const [head, ...lines] = text.trimEnd().split("\n");
  if ((JSON.parse(head ?? "") as { format?: string }).format !== FORMAT) throw new Error(`the file is no ${FORMAT}`);
  const all = lines.map((line) => JSON.parse(line) as Puzzle);
  const of = (grade: Grade) => all.filter((puzzle) => puzzle.grade === grade);
  return { easy: of("easy"), medium: of("medium"), hard: of("hard") };
}

/** The puzzle of a day: they follow each other in the order of the file, and then again. Nothing where there is none. */
export function puzzleOf(stock: Stock, { day, grade }: Omit<Asked, "game">): Puzzle | undefined {
  const all = stock[grade];
  const number = Math.round((Date.parse(day) - FIRST_DAY) / DAY);
  return all[((number % all.length) + all.length) % all.length];
}

/** The grades of which a game has puzzles. */
export function gradesOf(stock: Stock): Grade[] {
  return GRADES.filter((grade) => stock[grade].length);
}

/** After how many days the first puzzle comes again. */
export function repeatsAfter(stock: Stock): number {
  return Math.min(...gradesOf(stock).map((grade) => stock[grade].length));
}
