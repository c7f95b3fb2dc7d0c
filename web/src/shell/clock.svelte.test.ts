import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clock } from "./clock.svelte";

const HOUR = 3_600_000;
const TRUE = Date.parse("2026-11-26T12:00:00Z");

function answer(time: number, kept = "no-store"): Response {
  return new Response("", { headers: { date: new Date(time).toUTCString(), "cache-control": kept } });
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test.each([-96, -1, 0, 1, 96])("a device whose clock is %d hours off has the server's time", (hours) => {
  vi.setSystemTime(TRUE + hours * HOUR);
  clock.hear(answer(TRUE));
  expect(Math.abs(clock.now() - TRUE)).toBeLessThan(2000);
  vi.advanceTimersByTime(HOUR);
  expect(Math.abs(clock.now() - TRUE - HOUR)).toBeLessThan(2000);
});

test("an answer that was kept, or tells no time, sets nothing", () => {
  vi.setSystemTime(TRUE);
  clock.hear(answer(TRUE));
  clock.hear(answer(TRUE - HOUR, "max-age=60"));
  clock.hear(new Response("", { headers: { date: "soon", "cache-control": "no-store" } }));
  clock.hear(new Response(""));
  expect(Math.abs(clock.now() - TRUE)).toBeLessThan(2000);
});

test("a clock that was set is seen, once, and the next answer puts it right", () => {
  vi.setSystemTime(TRUE);
  clock.hear(answer(TRUE));
  clock.jumped();
  vi.advanceTimersByTime(20_000);
  expect(clock.jumped()).toBe(false);
  vi.setSystemTime(TRUE + 20_000 + 5 * HOUR);
  expect(clock.jumped()).toBe(true);
  expect(clock.jumped()).toBe(false);
  clock.hear(answer(TRUE + 20_000));
  expect(Math.abs(clock.now() - TRUE - 20_000)).toBeLessThan(2000);
});
