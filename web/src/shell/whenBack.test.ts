import { expect, test, vi } from "vitest";
import { whenBack } from "./whenBack";

test("it is asked again when the network or the reader is back, and after a while, until it has ended", () => {
  vi.useFakeTimers();
  const again = vi.fn();
  const end = whenBack(again);
  expect(again).not.toHaveBeenCalled();
  dispatchEvent(new Event("online"));
  document.dispatchEvent(new Event("visibilitychange"));
  expect(again).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(20_000);
  expect(again).toHaveBeenCalledTimes(3);
  end();
  dispatchEvent(new Event("online"));
  vi.advanceTimersByTime(60_000);
  expect(again).toHaveBeenCalledTimes(3);
  vi.useRealTimers();
});
