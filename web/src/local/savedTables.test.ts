import { afterEach, expect, test, vi } from "vitest";
import type { NewTable } from "../client/messages";
import { saveNewTable, savedTable, setTable } from "./savedTables";

const SEATS = ["Ann", "Bea"].map((name) => ({ kind: "here", name }));
const WISH = { game: "any", options: { players: 2 }, seats: SEATS } as unknown as NewTable;

afterEach(() => void vi.useRealTimers());

test("of new tables the last one is kept, even if it is set before the one before it is kept", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const first = setTable(WISH);
  const kept = saveNewTable(first);
  vi.advanceTimersByTime(100);
  const second = setTable(WISH);
  await Promise.all([kept, saveNewTable(second)]);
  expect(await savedTable(first.id)).toBeUndefined();
  expect(await savedTable(second.id)).toEqual(second);
});
