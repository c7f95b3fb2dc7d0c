import { beforeAll, expect, test } from "vitest";
import type { TopasMove, TopasView } from "../../client/messages";
import { need } from "../../shell/words.svelte";
import game from "./index";
import { gemsOf } from "./halves";
import { cardWords, entryWords, moveWords, moveWordsAloud } from "./wording";

beforeAll(() => need("topas", "table"));

const LAID: TopasMove = {
  say: "B1G2@-1,0W",
  piece: "B1G2",
  cells: ["-1,0", "-2,0"],
  heading: "W",
  points: 0,
  rows: [],
};

test("a card is named after its halves", () => {
  expect(gemsOf("B1G2")).toEqual([
    { colour: "B", gems: 1 },
    { colour: "G", gems: 2 },
  ]);
});

test("a move says the card; those who listen are told where it lies", () => {
  expect(moveWords(LAID, "Ann")).toContain(cardWords("B1G2"));
  expect(moveWordsAloud(LAID, "Ann")).toMatch(/-1,0.*west/);
});

test("a hint names the rows, and no square: nobody sees their names", () => {
  const rows = [{ colour: "B", gems: 6, cells: [] }];
  const seen = { view: { moves: [{ ...LAID, rows }] } as unknown as TopasView, names: [] };
  expect(game.log.choice(LAID, seen)).toMatch(/: row of 6 sapphires$/);
  expect(game.log.choice(LAID, { ...seen, view: { moves: [] } as unknown as TopasView })).toBe(moveWords(LAID, ""));
  expect(game.log.choice(LAID)).toBeUndefined();
});

test("an entry of the score sheet is its card", () => {
  const entry = { seat: 0, kind: "placement", name: LAID.say, points: 4, cells: LAID.cells, parts: [], combine: "sum" };
  expect(entryWords({ ...entry, piece: "B1G2", cell: "-1,0", heading: "W" })).toBe(cardWords("B1G2"));
});
