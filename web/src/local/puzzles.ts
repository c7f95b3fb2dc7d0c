// The puzzles of games, which lie in files beside their engines, and which of them a day has. A file has those of a month.

import { entryOf } from "../core/catalogue";
import type { GamePuzzles, Move } from "../client/messages";
import { type Asked, GRADES, type Grade } from "./puzzleAnswers";

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

const files = new Map<string, Promise<Puzzle[]>>();

/** The puzzle of a day: they follow each other in the order of the files, and then again. Rejects where there is none. */
export async function puzzleOf({ game, day, grade }: Asked): Promise<Puzzle> {
  const stock = entryOf(game)?.puzzles;
  const count = stock?.counts[grade];
  if (!stock || !count) throw new Error(`${game} has no ${grade} puzzles`);
  const days = Math.round((Date.parse(day) - FIRST_DAY) / DAY);
  const number = ((days % count) + count) % count;
  const found = await puzzlesAt(addressOf(stock, grade, Math.floor(number / stock.part)));
  return found[number % stock.part]!;
}

/** Fetch a file of puzzles once; what failed is tried again the next time. */
function puzzlesAt(address: string): Promise<Puzzle[]> {
  let found = files.get(address);
  if (!found) {
    found = fetchPuzzles(address);
    files.set(address, found);
    found.catch(() => files.delete(address));
  }
  return found;
}

async function fetchPuzzles(address: string): Promise<Puzzle[]> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: status ${answer.status}`);
  return readPuzzles(await answer.text());
}

/** Read a file of puzzles. */
export function readPuzzles(text: string): Puzzle[] {
  const [head, ...lines] = text.trimEnd().split("\n");
  if ((JSON.parse(head ?? "") as { format?: string }).format !== FORMAT) throw new Error(`the file is no ${FORMAT}`);
  return lines.map((line) => JSON.parse(line) as Puzzle);
}

/** The addresses of all files of a game's puzzles. */
export function filesOf(stock: GamePuzzles): string[] {
  const files = (grade: Grade) => Math.ceil(stock.counts[grade] / stock.part);
  return GRADES.flatMap((grade) =>
    Array.from({ length: files(grade) }, (_, number) => addressOf(stock, grade, number)),
  );
}

function addressOf({ address }: GamePuzzles, grade: Grade, number: number): string {
  return `${address}.${grade}.${number}.jsonl`;
}

/** The grades of which a game has puzzles. */
export function gradesOf(game: string): Grade[] {
  return GRADES.filter((grade) => entryOf(game)?.puzzles?.counts[grade]);
}

/** After how many days the first puzzle of some games comes again. */
export function repeatsAfter(games: readonly string[]): number {
  return Math.min(...games.flatMap((game) => gradesOf(game).map((grade) => entryOf(game)!.puzzles!.counts[grade])));
}
