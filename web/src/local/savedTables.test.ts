import { afterEach, expect, test, vi } from "vitest";
import type { NewTable } from "../client/messages";
import { keepNew, keptTable, setTable } from "./kept";

const SEATS = ["Ann", "Bea"].map((name) => ({ kind: "here", name }));
const WISH = { game: "any", options: { players: 2 }, seats: SEATS } as unknown as NewTable;

afterEach(() => void vi.useRealTimers());

test("of new tables the last one is kept, even if it is set before the one before it is kept", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const first = setTable(WISH);
  const kept = keepNew(first);
  vi.advanceTimersByTime(100);
  const second = setTable(WISH);
  await Promise.all([kept, keepNew(second)]);
  expect(await keptTable(first.id)).toBeUndefined();
  expect(await keptTable(second.id)).toEqual(second);
});
