import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { TopasMove, TopasView } from "../../../client/messages";
import rules from "../rules.json";
import { Scoring } from "./scoring.svelte";

const AFTER = rules.turn1 as unknown as TopasView;
/** The same position before its last card. */
const BEFORE: TopasView = { ...AFTER, table: AFTER.table.slice(0, -1), latest: null };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the rows of a new card light up one after the other, then its points come, then all is quiet", () => {
  const scoring = new Scoring();
  scoring.follow(BEFORE);
  scoring.follow(AFTER);
  expect(AFTER.latest?.rows).toHaveLength(2);
  expect(scoring.cells).toEqual(AFTER.latest?.cells);
  expect(scoring.rows).toHaveLength(1);
  expect(scoring.points).toBeNull();
  vi.advanceTimersByTime(700);
  expect(scoring.rows).toEqual(AFTER.latest?.rows);
  expect(scoring.points).toBe(AFTER.latest?.points);
  vi.advanceTimersByTime(2000);
  expect(scoring.rows).toEqual([]);
  expect(scoring.cells).toBeNull();
});

test("nothing is counted on the first look, or when the same position comes again", () => {
  const scoring = new Scoring();
  scoring.follow(AFTER);
  scoring.follow({ ...AFTER });
  expect(scoring.cells).toBeNull();
});

test("the player who laid the last card of a column sees it before the table is cleared", () => {
  const scoring = new Scoring();
  const played: TopasMove = {
    say: "B1G2@5,0E",
    kind: "lay",
    to: null,
    piece: "B1G2",
    cells: ["5,0", "6,0"],
    heading: "E",
    points: 7,
    rows: [{ colour: "B", gems: 7, cells: ["4,0", "5,0"] }],
  };
  scoring.follow(BEFORE);
  scoring.played = played;
  scoring.follow({ ...BEFORE, table: BEFORE.table.slice(0, 1), columns: [30] });
  expect(scoring.lingering?.at(-1)).toMatchObject({ card: "B1G2", x: 5, y: 0, heading: "E" });
  vi.advanceTimersByTime(700);
  expect(scoring.points).toBe(7);
  scoring.stop();
  expect(scoring.lingering).toBeNull();
});
