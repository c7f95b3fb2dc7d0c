import { expect, test } from "vitest";
import { forOne } from "./outcome";
import type { SavedTable } from "./reading";

/** A table with bots on some seats, and people on those that are null. */
function table(...bots: (string | null)[]): SavedTable {
  return { seats: bots.map((bot) => ({ name: "", bot })) } as SavedTable;
}

test.each([
  [table(null, "level2"), [0], "won"],
  [table("level2", null), [0], "lost"],
  [table(null, "level2"), [0, 1], "shared"],
  [table(null, "level2"), [], undefined], // it does not count
  [table(null, null), [0], undefined], // two at this screen
  [table(null), [0], undefined], // alone
  [table("level1", "level2"), [0], undefined], // bots among themselves
])("a finished game is won, shared or lost by the one here %#", (kept, winners, outcome) => {
  expect(forOne(kept, { scores: [], winners, how: undefined })).toBe(outcome);
});
