import { beforeAll, expect, test } from "vitest";
import type { GamePage } from "../../core/game";
import type { Move } from "../../client/messages";
import { need } from "../../shell/words.svelte";
import { choicesWords, choiceWords, describe, describeAll, describeAloud } from "./moveWords";

const STEP: Move = { say: "K b3", kind: "step", cells: ["b3"] };
const STOP: Move = { say: "stop", kind: "stop", cells: [] };
const ODD: Move = { say: "x 1", kind: "odd", cells: [] };
const NAMES = ["Ann", "Bea"];

const game = {
  log: {
    words: ({ kind, cells }: Move, name: string) =>
      kind === "step" ? `${name}: king to ${cells[0]}` : kind === "stop" ? `${name} stops` : undefined,
    aloud: ({ kind }: Move, name: string) => (kind === "stop" ? `${name} stops, says the herald` : undefined),
    goesOn: ({ kind, cells }: Move, before: Move) => (kind === "step" && before.kind === "step" ? cells[0] : undefined),
    chance: ({ kind }: Move) => `chance: ${kind}`,
  },
} as unknown as GamePage;

beforeAll(() => need("table"));

const told = (move: Move) => ({ seat: 1, say: move.say, move, undo: false });

test("a line of the log is a move in words, in notation where the game has none", () => {
  expect(describe(game, told(STEP), NAMES)).toBe("Bea: king to b3");
  expect(describe(game, told(ODD), NAMES)).toBe("Bea: x 1");
  expect(describe(game, { ...told(STOP), move: null }, NAMES)).toBe("Bea: stop");
  expect(describeAloud(game, told(STOP), NAMES)).toBe("Bea stops, says the herald");
});

test("chance has no name, and what was taken back no move", () => {
  const pile: Move = { say: "pile", kind: "pile", cells: [] };
  expect(describe(game, { seat: null, say: "pile", move: pile, undo: false }, NAMES)).toBe("chance: pile");
  expect(describe(game, { seat: 0, say: "", move: null, undo: true }, NAMES)).toContain("Ann");
});

test("moves in a row name their player once", () => {
  expect(describeAll(game, 0, [STEP, STOP, ODD], NAMES)).toBe("Ann: king to b3, stops, x 1");
  expect(describeAll(game, 0, [], NAMES)).toBe("");
  expect(choiceWords(game, [STEP, STOP, ODD])).toBe("King to b3, stops, x 1");
});

test("a move that goes on with the one before it says only what it adds", () => {
  const further: Move = { ...STEP, cells: ["c3"] };
  expect(choiceWords(game, [STEP, further, STOP, STEP])).toBe("King to b3, c3, stops, king to b3");
  expect(describeAll(game, 1, [STEP, further], NAMES)).toBe("Bea: king to b3, c3");
});

test("different choices that read the same are at other places", () => {
  const [first, second, third] = ["stop a", "stop b", "stop c"].map((say) => ({ ...STOP, say }));
  const shown = [[first!], [STEP], [second!], [first!], [third!]];
  expect(choicesWords(game, shown)).toEqual([
    "Stops",
    "King to b3",
    "Stops, at another place",
    "Stops",
    "Stops, at a third place",
  ]);
});
