// A search in one engine, in slices: between them its worker answers other questions.

import type { Engine } from "./engine.ts";
import { EngineError } from "./errors.ts";
import type { Found, Task } from "./protocol.ts";
import type { Settings } from "./settings.ts";

/** Milliseconds that a slice takes about. */
const SLICE = 12;

/** Search a task. Equal tasks and settings without `seconds` give equal results, however the slices fall. */
export async function run(engine: Engine, task: Task, settings: Settings, signal: AbortSignal): Promise<Found> {
  const begin = performance.now();
  const end = begin + 1000 * (settings.seconds ?? 0);
  const { searcher } = engine;
  const solved = searcher.start(task, settings);
  if (solved) return searcher.rows(solved, 0);
  const least = Math.max(1, Math.ceil(settings.simulations / task.engines));
  let done = 0;
  let slice = 1;
  for (;;) {
    const before = performance.now();
    const count = done < least ? Math.min(slice, least - done) : slice;
    searcher.simulate(count);
    done += count;
    const now = performance.now();
    const left = (done * (end - now)) / (now - begin);
    if (done >= least && (now >= end || (settings.stopEarly && isDecided(searcher.visits(), left)))) {
      return searcher.rows(searcher.gather(), done);
    }
    if (now - before < SLICE / 2) slice *= 2;
    else if (now - before > 2 * SLICE) slice = Math.ceil(slice / 2);
    await pause();
    if (signal.aborted) throw new EngineError("cancelled", "the search was cancelled");
  }
}

/** Whether the most visited candidate stays the same within a number of simulations. */
export function isDecided(visits: readonly number[], left: number): boolean {
  const [most, second] = [...visits].sort((a, b) => b - a);
  return most !== undefined && (second === undefined || most - second > left);
}

/** Let what came meanwhile be heard. `setTimeout` would wait for four milliseconds. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
