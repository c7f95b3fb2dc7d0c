import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Figure, SchlossgartenMove, SchlossgartenView } from "../../../client/messages";
import rules from "../rules.json";
import { Choice } from "./choice.svelte";
import { MARKS } from "./pawns";
import { Walk } from "./walk.svelte";

const START = rules.turn0 as unknown as SchlossgartenView;
const SEAT = START.seat ?? 0;
const PACE = 300;

function step(pawn: string, to: string): SchlossgartenMove {
  return { say: `${pawn} ${to}`, kind: "step", cells: [to], pawn, to, points: 0 };
}

const WAY = [step("K", "e2"), step("G", "d2"), step("K", "e3")];
const FIGURE = { pawns: {}, foreign: [], path: [], data: WAY, works: [], points: 4 } as Figure;

/** A table whose server makes every move at once, unless it is told not to. */
function table(phase = "move") {
  let view = $state.raw<SchlossgartenView>({ ...START, phase, moves: moves(phase) });
  const played: string[] = [];
  const byItself: string[] = [];
  const choice = new Choice(
    () => view,
    () => (say, alone) => {
      played.push(say);
      if (alone) byItself.push(say);
    },
  );
  const walk = new Walk(choice, () => PACE);
  choice.card = 7;
  choice.aimAt(FIGURE);
  function moves(now: string): SchlossgartenMove[] {
    return now === "card" ? [{ say: "card 7", kind: "card", piece: "7", cells: [], points: 0 }] : WAY;
  }
  function arrive(pawns: Record<string, string>): void {
    const own = view.pawns[SEAT]!.map((cell, kind) => pawns[MARKS[kind]!] ?? cell);
    view = {
      ...view,
      phase: "move",
      moves: moves("move"),
      pawns: view.pawns.map((all, i) => (i === SEAT ? own : all)),
    };
    flushSync(() => walk.follow());
  }
  return { walk, played, byItself, arrive };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("all steps are made, each when the one before has arrived and some time has passed", () => {
  const { walk, played, byItself, arrive } = table("card");
  walk.start();
  arrive({});
  vi.advanceTimersByTime(PACE - 1);
  expect(played).toEqual(["card 7"]);
  vi.advanceTimersByTime(1);
  expect(played).toEqual(["card 7", "K e2"]);
  vi.advanceTimersByTime(10 * PACE);
  expect(played).toHaveLength(2);
  arrive({ K: "e2" });
  vi.advanceTimersByTime(PACE);
  arrive({ G: "d2" });
  vi.advanceTimersByTime(PACE);
  arrive({ K: "e3" });
  expect(played.slice(1)).toEqual(["K e2", "G d2", "K e3"]);
  expect([walk.going, walk.steps]).toEqual([false, 0]);
  expect(byItself).toEqual(["K e2", "G d2", "K e3"]);
});

test.each<[string, Record<string, string>]>([
  ["another position", { K: "a7" }],
  ["the position before", {}],
])("%s stops it", (_, pawns) => {
  const { walk, played, arrive } = table();
  walk.start();
  arrive(pawns);
  vi.advanceTimersByTime(10 * PACE);
  expect(played).toEqual(["K e2"]);
  expect(walk.going).toBe(false);
});

test("it stands still when it is told to, and goes on from there when it is started again", () => {
  const { walk, played, arrive } = table();
  walk.start();
  arrive({ K: "e2" });
  walk.stop();
  vi.advanceTimersByTime(10 * PACE);
  expect(played).toEqual(["K e2"]);
  expect(walk.steps).toBe(2);
  walk.start();
  expect(played).toEqual(["K e2", "G d2"]);
});
