import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { turnsWaiting as ask } from "./api";
import type { Waiting } from "./messages";
import { TurnsWaiting } from "./turnsWaiting.svelte";

vi.mock("./api", () => ({ turnsWaiting: vi.fn() }));
const SLOW = { slow: { days: 1, bot: "level1" }, phase: "playing", your_turn: true } as Waiting;
const setAppBadge = vi.fn(() => Promise.reject(new Error("not installed")));
const clearAppBadge = vi.fn(() => Promise.resolve());

beforeEach(() => {
  vi.useFakeTimers();
  vi.mocked(ask).mockReset();
  Object.assign(navigator, { setAppBadge, clearAppBadge });
});
afterEach(() => {
  vi.useRealTimers();
});

test("it is asked now and then while there are slow tables, and the badge shows the number", async () => {
  vi.mocked(ask).mockResolvedValue({ waiting: 2, slow: 3 });
  const turns = new TurnsWaiting();
  const end = turns.watch();
  await vi.advanceTimersByTimeAsync(1);
  expect(turns.count).toBe(2);
  expect(setAppBadge).toHaveBeenLastCalledWith(2);
  vi.mocked(ask).mockResolvedValue({ waiting: 0, slow: 3 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect([turns.count, vi.mocked(ask).mock.calls.length]).toEqual([0, 2]);
  expect(clearAppBadge).toHaveBeenCalled();
  end();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(ask).toHaveBeenCalledTimes(2);
});

test("who has no slow table asks only when pages change, and not twice within a minute", async () => {
  vi.mocked(ask).mockResolvedValue({ waiting: 0, slow: 0 });
  const turns = new TurnsWaiting();
  turns.watch();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(ask).toHaveBeenCalledTimes(1);
  for (let page = 0; page < 5; page++) {
    turns.look();
    await vi.advanceTimersByTimeAsync(5_000);
  }
  expect(ask).toHaveBeenCalledTimes(2);
  turns.ask(); // a slow table has told this page of a turn
  await vi.advanceTimersByTimeAsync(3_000);
  expect(ask).toHaveBeenCalledTimes(3);
});

test("what can't be asked leaves the number as it was", async () => {
  vi.mocked(ask).mockRejectedValue(new Error("offline"));
  const turns = new TurnsWaiting();
  turns.meet([SLOW, { ...SLOW, your_turn: false }, { ...SLOW, slow: null }]);
  turns.watch();
  await vi.advanceTimersByTimeAsync(61_000);
  expect([turns.count, vi.mocked(ask).mock.calls.length]).toEqual([1, 2]);
});
