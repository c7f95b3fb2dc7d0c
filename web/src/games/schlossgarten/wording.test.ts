import { beforeAll, expect, test } from "vitest";
import type { SchlossgartenMove, SchlossgartenView } from "../../client/messages";
import { need } from "../../shell/words.svelte";
import game from "./index";
import { choiceWords, entryWords, goesOnWords, moveWords } from "./wording";

beforeAll(() => need("schlossgarten"));

const MOVES: SchlossgartenMove[] = [
  { say: "card 7", kind: "card", piece: "7", cells: [], points: 0 },
  { say: "K e2", kind: "step", piece: "K", cells: ["e2"], to: "e2", points: 0, pawn: "K" },
  { say: "G d3 hit c4", kind: "hit", piece: "G", cells: ["d3"], to: "d3", points: 0, pawn: "G", refuge: "c4" },
  { say: "stop", kind: "stop", cells: [], points: 0 },
  { say: "A dig d1", kind: "dig", piece: "A", cells: ["d1"], points: 0, pawn: "A" },
  { say: "A build 2 c3 c4", kind: "build", piece: "A2", cells: ["c3", "c4"], points: 4, pawn: "A" },
  { say: "end", kind: "end", cells: [], points: 0 },
];

test("a pawn that walks on says where to, another one who it is", () => {
  const [, step, hit] = MOVES as [SchlossgartenMove, SchlossgartenMove, SchlossgartenMove];
  expect(goesOnWords({ ...step, kind: "shift", cells: ["e3"] }, step)).toBe("e3");
  expect(goesOnWords({ ...step, piece: "A" }, step)).toBeUndefined();
  expect(goesOnWords(hit, { ...step, piece: "G" })).toBeUndefined();
});

test("every kind of move has words", () => {
  expect(MOVES.map((move) => moveWords(move, "Ann"))).toEqual([
    expect.stringMatching(/Ann.*7/),
    expect.stringMatching(/Ann.*[Kk]ing.*e2/),
    expect.stringMatching(/Ann.*[Gg]ardener.*d3.*c4/),
    expect.stringMatching(/Ann/),
    expect.stringMatching(/Ann.*[Aa]rchitect.*d1/),
    expect.stringMatching(/Ann.*[Pp]ool/),
    expect.stringMatching(/Ann/),
  ]);
});

test("a choice says where it builds, and whose pawn it hits", () => {
  const pawns = [
    ["e1", "c2", "g7"],
    ["a1", "d3", "g3"],
  ];
  const seen = { view: { seat: 0, pawns } as unknown as SchlossgartenView, names: ["Ann", "Bea"] };
  expect(choiceWords(MOVES[5]!)).toMatch(/[Pp]ool.*c3.*c4/);
  expect(choiceWords(MOVES[2]!, seen)).toMatch(/[Gg]ardener.*d3.*Bea.*c4/);
  expect(choiceWords(MOVES[2]!)).toBeUndefined();
});

test("a move points at its cells, and at the refuge of who was hit; a card begins a turn", () => {
  expect(MOVES.map((move) => game.log.cells(move))).toEqual([[], ["e2"], ["d3", "c4"], [], ["d1"], ["c3", "c4"], []]);
  expect(MOVES.filter((move) => game.log.beginsTurn(move)).map(({ say }) => say)).toEqual(["card 7"]);
});

test("an entry of the score sheet is an element, or a tile by its cell", () => {
  const entry = { seat: 0, points: 3, cells: [], parts: [], combine: "sum", heading: null };
  expect(entryWords({ ...entry, kind: "element", name: "G3", piece: "G3", cell: null })).toMatch(/[Mm]aze/);
  expect(entryWords({ ...entry, kind: "tile", name: "d1", piece: null, cell: "d1" })).toMatch(/d1/);
});
