// @vitest-environment node
import { expect, test } from "vitest";
import type { Engine } from "./engine";
import type { Found, Task } from "./protocol";
import { isDecided, run } from "./search";
import type { Settings } from "./settings";

const TASK: Task = { state: new Uint8Array(), rng: new Uint8Array(), engine: 0, engines: 1 };
const never = new AbortController().signal;

/** An engine that counts. */
function counting(visits: number[] = [1, 1], solved = 0) {
  const slices: number[] = [];
  const searcher = {
    start: () => solved,
    simulate: (count: number) => void slices.push(count),
    gather: () => visits.length,
    visits: () => visits,
    rows: (count: number, simulations: number): Found => ({ count, parts: {}, simulations }),
  };
  return { engine: { searcher } as unknown as Engine, slices };
}

async function searched(settings: Settings, task = TASK, visits?: number[]): Promise<number> {
  const { engine, slices } = counting(visits);
  const { simulations } = await run(engine, task, settings, never);
  expect(slices.reduce((sum, slice) => sum + slice, 0)).toBe(simulations);
  return simulations;
}

test("as many simulations are made as are asked for, in slices", async () => {
  expect(await searched({ simulations: 1 })).toBe(1);
  expect(await searched({ simulations: 1001 })).toBe(1001);
});

test("several engines share them, rounded up", async () => {
  expect(await searched({ simulations: 10 }, { ...TASK, engines: 4 })).toBe(3);
});

test("a solved ending is not searched", async () => {
  const { engine, slices } = counting([1, 1], 2);
  expect(await run(engine, TASK, { simulations: 100 }, never)).toMatchObject({ count: 2, simulations: 0 });
  expect(slices).toEqual([]);
});

test("time is used up, unless nothing can change any more", async () => {
  const begin = performance.now();
  await searched({ simulations: 1, seconds: 0.1 });
  expect(performance.now() - begin).toBeGreaterThan(95);
  await searched({ simulations: 1, seconds: 3600, stopEarly: true }, TASK, [5]);
});

test("a search that is cancelled ends", async () => {
  const stop = new AbortController();
  const search = run(counting().engine, TASK, { simulations: 1, seconds: 3600 }, stop.signal);
  setTimeout(() => stop.abort(), 20);
  await expect(search).rejects.toMatchObject({ reason: "cancelled" });
});

test.each([
  [[], 0, false],
  [[3], 100, true],
  [[3, 9, 2], 5, true],
  [[3, 9, 2], 6, false],
])("%j with %i left: decided is %s", (visits, left, decided) => expect(isDecided(visits, left)).toBe(decided));
