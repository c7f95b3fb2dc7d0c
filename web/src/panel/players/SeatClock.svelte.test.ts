import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { need } from "../../shell/words.svelte";
import SeatClock from "./SeatClock.svelte";

beforeEach(async () => {
  await need("table");
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

test("the time that is left is told at 30 and at 10 seconds, and stays until the next", () => {
  const since = "2026-01-01T00:00:00.000Z";
  const times = { left: [31_000, 60_000], since, now: since };
  const clock = mount(SeatClock, {
    target: document.body,
    props: { times, came: performance.now(), seat: 0, turn: true, mine: true },
  });
  const after = (seconds: number): string => {
    vi.advanceTimersByTime(seconds * 1000);
    flushSync();
    return document.querySelector("[role=status]")?.textContent.trim() ?? "";
  };
  flushSync();
  expect(after(0.4)).toBe("");
  expect(after(1)).toContain("30");
  expect(after(15)).toContain("30");
  expect(document.querySelector(".digits")?.textContent).toBe("0:15");
  expect(after(5)).toContain("10");
  void unmount(clock);
});
