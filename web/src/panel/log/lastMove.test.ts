import { expect, test } from "vitest";
import type { GamePage } from "../../core/game";
import type { LogEntry, Move } from "../../client/messages";
import { cellsOf, lastCells } from "./lastMove";

const game = { log: { beginsTurn: ({ kind }: Move) => kind === "card" } } as unknown as GamePage;

/** Moves of a seat: `card` begins a turn, the others concern the cells named after their kind. */
function log(...lines: [seat: number, move: string, undo?: boolean][]): LogEntry[] {
  return lines.map(([seat, text, undo = false], number) => {
    const [kind = "", ...cells] = text.split(" ");
    return { number, seat, say: text, undo, ending: null, move: undo ? null : { say: text, kind, cells } };
  });
}

test("the last turn is outlined from its beginning on, every cell once", () => {
  expect(lastCells(game, log([0, "card"], [0, "step a1"], [1, "card"], [1, "step b2"], [1, "dig b2 c3"]))).toEqual([
    "b2",
    "c3",
  ]);
});

test("what was taken back is left out", () => {
  expect(lastCells(game, log([0, "card"], [0, "step a1"], [0, "step a2"], [0, "step a2", true]))).toEqual(["a1"]);
});

test("a turn that did not begin with such a move ends where another player's begins", () => {
  expect(lastCells(game, log([1, "step b2"], [0, "step a1"]))).toEqual(["a1"]);
});

test("before the first move nothing is outlined", () => {
  expect(lastCells(game, [])).toEqual([]);
});

test("a game may point at other cells than a move names", () => {
  const move = { say: "a1E", cells: ["a1", "b1"] };
  const other = { log: { ...game.log, cells: () => [] } } as unknown as GamePage;
  expect(cellsOf(game, move)).toEqual(["a1", "b1"]);
  expect(cellsOf(other, move)).toEqual([]);
});
