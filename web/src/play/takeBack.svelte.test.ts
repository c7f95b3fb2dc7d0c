import { expect, test } from "vitest";
import type { Ask, LogEntry, Position } from "../client/messages";
import { lastStanding, TakeBack } from "./takeBack.svelte";

/** A log of moves, in which `-` takes the last one back. */
function log(text: string): LogEntry[] {
  return [...text].map((say, number) => ({ number, seat: 0, say, move: null, undo: say === "-", ending: null }));
}

test.each([
  ["abc", "c"],
  ["abc-", "b"],
  ["abc--d-", "a"],
  ["a-", undefined],
])("in %s the last move that stands is %s", (text, say) => {
  expect(lastStanding(log(text))?.say).toBe(say);
});

/** A table whose server takes back what it is asked to, until a move can no longer be. */
function table(text: string, { least = 0 } = {}) {
  const asked: Ask[] = [];
  const live = {
    log: log(text),
    position: undefined as unknown as Position,
    ask: (message: Ask) => void asked.push(message),
  };
  const takeBack = new TakeBack(live);
  function arrive(): void {
    const standing = live.log.reduce((n, { undo }) => n + (undo ? -1 : 1), 0);
    live.position = { number: live.log.length, view: { seat: 0 }, undo: standing > least } as unknown as Position;
    takeBack.follow();
  }
  function settle(): string {
    for (let seen = 0; seen < asked.length; seen++) {
      live.log = log(live.log.map(({ say }) => say).join("") + "-");
      arrive();
    }
    return live.log.map(({ say }) => say).join("");
  }
  arrive();
  return { takeBack, live, settle };
}

test("what was made by itself is taken back with the move before, and no more", () => {
  const { takeBack, settle } = table("abcd");
  takeBack.note(2, true);
  takeBack.note(3, true);
  takeBack.start();
  expect(settle()).toBe("abcd---");
});

test("a move that was made by a press is taken back alone", () => {
  const { takeBack, settle } = table("abcd");
  takeBack.note(2, true);
  takeBack.start();
  expect(settle()).toBe("abcd-");
});

test("it stops at what may not be taken back", () => {
  const { takeBack, settle } = table("abcd", { least: 3 });
  for (const number of [1, 2, 3]) takeBack.note(number, true);
  takeBack.start();
  expect(settle()).toBe("abcd-");
});

test("a move that arrives instead ends it", () => {
  const { takeBack, live, settle } = table("abcd");
  takeBack.note(3, true);
  takeBack.start();
  live.log = log("abcde");
  takeBack.follow();
  expect(settle()).toBe("abcde-");
});
