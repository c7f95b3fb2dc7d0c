import { beforeAll, expect, test } from "vitest";
import type { TopiaryMove } from "../../client/messages";
import { need } from "../../shell/words.svelte";
import game from "./index";
import { choiceWords, entryWords, moveWords } from "./wording";

beforeAll(() => need("topiary", "table"));

const MOVES: TopiaryMove[] = [
  { say: "a3E", kind: "line", cells: ["a3", "b3", "c3", "d3", "e3"], heading: "E", points: 4 },
  { say: "take b2", kind: "take", cells: ["b2"] },
  { say: "pass", kind: "pass", cells: [], points: 0 },
  { say: "put T3", kind: "put", piece: "T3", cells: ["b2"] },
];
/** Others are told that tiles were kept, and not which. */
const KEEP: TopiaryMove = { say: "keep", kind: "keep", cells: [] };

test("every kind of move has words", () => {
  expect(MOVES.map((move) => moveWords(move, "Ann"))).toEqual([
    expect.stringMatching(/Ann.*(a3.*east|east.*a3)/),
    expect.stringMatching(/Ann.*b2/),
    expect.stringMatching(/Ann/),
    expect.stringMatching(/Ann.*T-Rex 3/),
  ]);
  expect(moveWords(KEEP, "Ann")).toMatch(/Ann/);
});

test("a choice says which tiles would be kept", () => {
  expect(choiceWords({ ...KEEP, say: "keep T3 W1 L5", kept: ["T3", "W1", "L5"] })).toMatch(/: T-Rex 3, .* 1, .* 5$/);
  expect(choiceWords(MOVES[1]!)).toBeUndefined();
});

test("a sight line begins a turn, and points at nothing", () => {
  expect(MOVES.map((move) => game.log.beginsTurn(move))).toEqual([true, false, false, false]);
  expect(MOVES.map((move) => game.log.cells(move))).toEqual([[], ["b2"], [], ["b2"]]);
});

test("an entry of the score sheet is a visitor on its line, or a tile in hand", () => {
  const entry = { seat: 0, points: 3, cells: [], parts: [], combine: "sum", piece: null, cell: null, heading: null };
  expect(entryWords({ ...entry, kind: "visitor", name: "a3E", cell: "a3", heading: "E" })).toMatch(/a3.*east|east.*a3/);
  expect(entryWords({ ...entry, kind: "hand", name: "T3", piece: "T3" })).toMatch(/T-Rex 3/);
});
