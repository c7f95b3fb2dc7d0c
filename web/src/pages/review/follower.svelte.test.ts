import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ReviewedPlace, ReviewState } from "../../client/messages";
import type { AskReview } from "../../client/reviewConnection";
import { placeIn, placeOfText, WrongPlace } from "../analysis/place";
import { Follower } from "./follower.svelte";
import { isBeside, isSame, placeTold, told } from "./shown";

const at = (plies: number, ...path: string[]): ReviewedPlace => ({ seed: "1", plies, path, position: null });
const state = (more: Partial<ReviewState> = {}): ReviewState => ({
  ...{ type: "review", people: 2, leader: "Ann", mine: false, place: at(3) },
  ...more,
});

let said: AskReview[];
/** Where the board was told to go, and lets it arrive there. */
let going: { place: ReviewedPlace; arrive: () => void }[];
let follower: Follower;

function make(wantsToLead = false): Follower {
  said = [];
  going = [];
  const show = (place: ReviewedPlace) =>
    new Promise<void>((resolve) => {
      going.push({ place, arrive: () => (follower.moved(place), resolve()) });
    });
  follower = new Follower(
    (message) => said.push(message),
    show,
    () => "Bea",
    wantsToLead,
  );
  follower.moved(at(0));
  return follower;
}

async function arrive(): Promise<void> {
  going.at(-1)?.arrive();
  await vi.advanceTimersByTimeAsync(0);
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  follower.close();
  vi.useRealTimers();
});

test("the board follows who leads, and nobody is told", async () => {
  make().hear(state());
  expect(going.map(({ place }) => place)).toEqual([at(3)]);
  await arrive();
  follower.hear(state({ people: 3 }));
  expect(going).toHaveLength(1);
  follower.hear(state({ place: at(4, "try") }));
  await arrive();
  expect(going.map(({ place }) => place)).toEqual([at(3), at(4, "try")]);
  expect(follower.follows).toBe(true);
  expect(said).toEqual([]);
});

test("places that come while the board is on its way are left out but for the last one", async () => {
  make().hear(state());
  follower.hear(state({ place: at(4) }));
  follower.hear(state({ place: at(5) }));
  await arrive();
  await arrive();
  expect(going.map(({ place }) => place)).toEqual([at(3), at(5)]);
});

test("who goes elsewhere looks on their own, until they follow again", async () => {
  make().hear(state());
  await arrive();
  follower.moved(at(1));
  expect(follower.follows).toBe(false);
  follower.hear(state({ place: at(5) }));
  expect(going).toHaveLength(1);
  follower.follow();
  await arrive();
  expect(going.at(-1)?.place).toEqual(at(5));
  expect(follower.follows).toBe(true);
});

test("where nobody leads, everybody looks around and is taken nowhere", async () => {
  make().hear(state({ leader: null }));
  await arrive();
  follower.moved(at(1));
  follower.hear(state({ leader: null, people: 3 }));
  expect(follower.follows).toBe(true);
  expect(going).toHaveLength(1);
});

test("who leads tells what is shown, the last of many places after a moment", async () => {
  make().hear(state({ leader: null, place: null }));
  follower.lead();
  expect(said).toEqual([{ type: "lead", name: "Bea", place: at(0) }]);
  follower.hear(state({ leader: "Bea", mine: true, place: at(0) }));
  for (const plies of [1, 2, 3]) follower.moved(at(plies));
  await vi.advanceTimersByTimeAsync(1000);
  follower.moved(at(4));
  expect(said.slice(1)).toEqual([at(3), at(4)].map((place) => ({ type: "show", place })));
  expect(going).toEqual([]);
});

test("who takes over goes on from where their own board is, and the one before follows", async () => {
  make().hear(state());
  await arrive();
  follower.moved(at(1));
  follower.lead();
  expect(said).toEqual([{ type: "lead", name: "Bea", place: at(1) }]);
  follower.hear(state({ leader: "Bea", mine: true, place: at(1) }));
  follower.moved(at(2));
  follower.hear(state({ leader: "Cyd", place: at(9) }));
  await arrive();
  await vi.advanceTimersByTimeAsync(1000);
  expect(said).toHaveLength(1);
  expect(going.at(-1)?.place).toEqual(at(9));
});

test.each([
  [null, 2],
  ["Cyd", 1],
])("who led leads again when the connection is back, unless %s does", async (leader, times) => {
  make(true).hear(state({ leader: null, place: null }));
  await vi.advanceTimersByTimeAsync(500);
  follower.hear(state({ leader: "Bea", mine: true, place: at(0) }));
  follower.moved(at(7));
  follower.lost();
  follower.lost();
  expect(follower.here).toBe(false);
  follower.hear(state({ leader, place: null }));
  await vi.advanceTimersByTimeAsync(500);
  const led = said.filter(({ type }) => type === "lead");
  expect(led).toHaveLength(times);
  if (times === 2) expect(led[1]).toEqual({ type: "lead", name: "Bea", place: at(7) });
});

test("who leads again after a load goes to where the others are first", async () => {
  make(true).hear(state({ leader: null }));
  await vi.advanceTimersByTimeAsync(500);
  expect(said).toEqual([]);
  await arrive();
  expect(said).toEqual([{ type: "lead", name: "Bea", place: at(3) }]);
});

test("who led alone leads again from where the board is by then, not from what was shown last", async () => {
  make().hear(state({ people: 1, leader: "Bea", mine: true, place: at(0) }));
  follower.moved(at(6));
  await vi.advanceTimersByTimeAsync(500);
  follower.lost();
  follower.moved(at(7));
  follower.hear(state({ people: 1, leader: null, place: at(6) }));
  await vi.advanceTimersByTimeAsync(500);
  expect(going).toEqual([]);
  expect(said.at(-1)).toEqual({ type: "lead", name: "Bea", place: at(7) });
});

test("who leads again takes the lead from nobody who has it by then", async () => {
  make(true).hear(state({ leader: null, place: at(0) }));
  await arrive();
  follower.hear(state({ place: at(0) }));
  await vi.advanceTimersByTimeAsync(1000);
  expect(said).toEqual([]);
});

test("who led leads again though the server did not know at first that the connection was lost", async () => {
  make().hear(state({ leader: "Bea", mine: true, place: at(0) }));
  follower.lost();
  follower.hear(state({ leader: "Bea", place: at(0) }));
  follower.hear(state({ leader: null, place: at(0) }));
  await vi.advanceTimersByTimeAsync(500);
  await arrive();
  expect(said).toEqual([{ type: "lead", name: "Bea", place: at(0) }]);
});

test("somebody who leads anew from the same place is followed there", async () => {
  make().hear(state());
  await arrive();
  follower.hear(state({ leader: null }));
  follower.moved(at(4));
  follower.hear(state());
  await arrive();
  expect(going.map(({ place }) => place)).toEqual([at(3), at(3)]);
});

test("who takes over while the board is on its way tells where it arrives", async () => {
  make().hear(state());
  follower.lead();
  follower.hear(state({ leader: "Bea", mine: true, place: at(0) }));
  await arrive();
  await vi.advanceTimersByTimeAsync(1000);
  expect(said.at(-1)).toEqual({ type: "show", place: at(3) });
});

test("what was refused is said until something is told", () => {
  make().hear({ type: "refused", code: "busy", message: "too many", why: null, wait: null });
  expect(follower.refused?.code).toBe("busy");
  follower.hear(state({ place: null }));
  expect(follower.refused).toBeUndefined();
});

test("it is said that a review is full until it is not", () => {
  make().lost("this review is full");
  expect([follower.full, follower.here]).toEqual([true, false]);
  follower.hear(state({ place: null }));
  expect([follower.full, follower.here]).toEqual([false, true]);
});

test("where somebody points is shown for some seconds", () => {
  make().hear({ type: "pointed", name: "Ann", cell: "c3" });
  expect(follower.pointed?.cell).toBe("c3");
  follower.point("d4");
  expect(said).toEqual([{ type: "point", name: "Bea", cell: "d4" }]);
  expect(follower.pointed).toEqual({ type: "pointed", name: "Bea", cell: "d4" });
  vi.advanceTimersByTime(10_000);
  expect(follower.pointed).toBeUndefined();
});

const RECORD = { game: "quoits", options: { players: 2 }, moves: ["a", "b"], players: ["Zoë", "李"] };

test.each([
  { ...placeIn(RECORD, 1), path: ["c"] },
  { ...placeOfText("quoits/players=2/view=0", RECORD), path: [] },
])("a place comes through as it was: %#", (place) => {
  expect(placeTold(RECORD, told(place))).toEqual(place);
});

test("a place of another game is none", () => {
  expect(() => placeTold(RECORD, { seed: "1", path: [], position: "chess/x" })).toThrow(WrongPlace);
});

test("places are told apart by all that they hold", () => {
  expect(isSame(at(1, "a"), { seed: "1", plies: 1, path: ["a"] })).toBe(true);
  for (const other of [at(2, "a"), at(1, "b"), at(1), { ...at(1, "a"), position: "x" }, { ...at(1, "a"), seed: "2" }]) {
    expect(isSame(at(1, "a"), other)).toBe(false);
  }
  expect(isBeside(at(1), at(2, "b"))).toBe(true);
  expect(isBeside(at(1), { ...at(1), seed: "2" })).toBe(false);
});
