import { expect, test } from "vitest";
import type { GamePage } from "../core/game";
import type { Position } from "../client/messages";
import { heardIn } from "./heard";

const GAME = {
  log: { sound: ({ kind }: { kind: string }) => (kind === "lay" ? "gem" : undefined) },
} as unknown as GamePage;

function position(number: number, seat: number | null, by?: number, { undo = false, over = false } = {}): Position {
  const entries = by === undefined ? [] : [{ number, seat: by, say: "x", undo, move: { kind: "lay" } }];
  return { number, entries, view: { seat, over } } as unknown as Position;
}

const sounds = (...given: Parameters<typeof heardIn>) => heardIn(...given).map(({ sound }) => sound);

test("what others do is heard, and then that it is one's turn", () => {
  expect(sounds(GAME, position(1, 1), position(2, 0, 1), [0])).toEqual(["gem", "bell"]);
});

test("what one does oneself rings no bell, not even where one goes on", () => {
  expect(sounds(GAME, position(1, 0), position(2, 1, 0), [0])).toEqual(["gem"]);
  expect(sounds(GAME, position(1, 0), position(2, 0, 0), [0])).toEqual(["gem"]);
});

test("nothing is heard by who has just come, nor twice", () => {
  expect(sounds(GAME, undefined, position(2, 0, 1), [0])).toEqual([]);
  expect(sounds(GAME, position(2, 0), position(2, 0, 1), [0])).toEqual([]);
});

test("a move that is taken back is silent, and so is the turn at the end", () => {
  expect(sounds(GAME, position(1, 0), position(2, 0, 0, { undo: true }), [0])).toEqual([]);
  expect(sounds(GAME, position(1, 1), position(2, null, 1, { over: true }), [0])).toEqual(["gem"]);
});
