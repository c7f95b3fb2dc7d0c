// A puzzle on the engine of its game: its position, moves of a turn that is tried, and whether that is right. The engine
// knows only what the seat knows, and nobody is asked.

import type { Client } from "../../engine/client";
import type { Entry, Move, Sheet, View } from "../../client/messages";
import type { Puzzle } from "../../local/puzzles";

/** How far a turn has come. */
export interface Tried {
  /** The position after the moves, as the seat sees it. */
  view: View;
  /** The moves as data. */
  made: Move[];
  /** Whether the turn is right; undefined while it goes on. */
  right: boolean | undefined;
}

/** A turn as it is explained. */
export interface Turn {
  moves: Move[];
  /** Points at once, before a last move that may reveal what nobody knows. */
  gain: number;
}

/** The answer, and why it is one. */
export interface Explained {
  best: Turn;
  second: Turn;
  /** The turn that was made instead, if one was. */
  made: Turn | undefined;
  /** The lines of the score sheet that the best turn changes, with the points that it adds: together its `gain`. */
  entries: Entry[];
}

/** The seat that is to move, the rest of what an engine takes up, and its state. */
interface Start {
  seat: number;
  state: Uint8Array;
}

/** Make the first moves of a turn. Raises EngineError where one is not legal. */
export async function tryTurn(engine: Client, puzzle: Puzzle, moves: readonly string[]): Promise<Tried> {
  const start = await startOf(engine, puzzle);
  const made = await asData(engine, puzzle, start, moves);
  const turn = await takeUp(engine, puzzle, start, moves);
  const view = JSON.parse(await engine.ask("view", { viewer: start.seat, assistance: "plain" })) as View;
  const goesOn = turn.seat === start.seat && (puzzle.asked === null || moves.length < puzzle.asked);
  const isRight =
    puzzle.task === "win" ? (turn.outcome?.winners.includes(start.seat) ?? false) : isAnswer(puzzle, moves);
  return { view, made, right: isRight || !goesOn ? isRight : undefined };
}

/** The position as somebody sees it who looks on. */
export async function seenByAll(engine: Client, puzzle: Puzzle): Promise<View> {
  await takeUp(engine, puzzle, await startOf(engine, puzzle), []);
  return JSON.parse(await engine.ask("view", { viewer: null, assistance: "aids" })) as View;
}

/**
 * Explain the answer, and a wrong turn that was made. Of a turn of which only the first moves are asked for, the last
 * of several is not played: it may reveal what nobody knows.
 */
export async function explain(engine: Client, puzzle: Puzzle, wrong: readonly string[] = []): Promise<Explained> {
  const start = await startOf(engine, puzzle);
  const { seat } = start;
  const before = await sheetAfter(engine, puzzle, start, []);
  const counted = async (moves: readonly string[]) => {
    const open = puzzle.asked === null || moves.length === 1 ? moves : moves.slice(0, -1);
    const sheet = await sheetAfter(engine, puzzle, start, open);
    const turn = {
      moves: await asData(engine, puzzle, start, moves),
      gain: sheet.scores[seat]! - before.scores[seat]!,
    };
    return { turn, sheet };
  };
  const best = await counted(puzzle.best.moves);
  const second = await counted(puzzle.second.moves);
  const made = wrong.length ? await counted(wrong) : undefined;
  const entries = changes(before.entries, best.sheet.entries, seat);
  return { best: best.turn, second: second.turn, made: made?.turn, entries };
}

/** The lines of a seat's score sheet whose points change, each with what it adds; one that goes takes its points away. */
function changes(before: readonly Entry[], after: readonly Entry[], seat: number): Entry[] {
  const own = (entries: readonly Entry[]) =>
    new Map(entries.filter((entry) => entry.seat === seat).map((entry) => [`${entry.kind} ${entry.name}`, entry]));
  const pointsIn = (lines: ReadonlyMap<string, Entry>, name: string) => lines.get(name)?.points ?? 0;
  const [had, has] = [own(before), own(after)];
  return [...new Map([...has, ...had])]
    .map(([name, entry]) => ({ ...entry, ...has.get(name), points: pointsIn(has, name) - pointsIn(had, name) }))
    .filter(({ points }) => points);
}

function isAnswer({ answers }: Puzzle, moves: readonly string[]): boolean {
  return answers.some((turn) => turn.join("\n") === moves.join("\n"));
}

async function startOf(engine: Client, { position }: Puzzle): Promise<Start> {
  const { viewer, state } = await engine.ask("readPosition", { text: position });
  return { seat: viewer ?? 0, state };
}

function takeUp(engine: Client, { id }: Puzzle, { state }: Start, moves: readonly string[]) {
  return engine.ask("resume", { state, seed: id, moves });
}

async function sheetAfter(engine: Client, puzzle: Puzzle, start: Start, moves: readonly string[]): Promise<Sheet> {
  await takeUp(engine, puzzle, start, moves);
  return JSON.parse(await engine.ask("sheet", null)) as Sheet;
}

/** Moves of a turn as data, each as its seat may know it when it is about to be made. */
async function asData(engine: Client, puzzle: Puzzle, start: Start, moves: readonly string[]): Promise<Move[]> {
  const data: Move[] = [];
  for (const [number, move] of moves.entries()) {
    await takeUp(engine, puzzle, start, moves.slice(0, number));
    const told = await engine.ask("observed", { move, viewer: start.seat, assistance: "full" });
    data.push(JSON.parse(told) as Move);
  }
  return data;
}
