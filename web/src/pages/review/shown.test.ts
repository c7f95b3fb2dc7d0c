// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadGames } from "../../core/catalogue";
import { GAMES, serveEngines } from "../../engine/testing";
import { Explorer } from "../analysis/explorer.svelte";
import { placeIn } from "../analysis/place";
import { played } from "../replay/played.testing";
import { goesOn, MOST, placeTold, told } from "./shown";

vi.mock("../../shell/words.svelte", () => ({ t: (key: string) => key }));
const [GAME] = GAMES as [string];

beforeEach(async () => {
  serveEngines();
  await loadGames();
});
afterEach(() => vi.unstubAllGlobals());

test("a board goes on to what is tried from the same position, until too much was tried", () => {
  const here = { seed: "1", plies: 3, path: ["a"], position: null };
  const there = { seed: "1", plies: 9, path: [] };
  expect(goesOn(MOST - 1, here, there)).toBe(true);
  expect(goesOn(MOST, here, there)).toBe(false);
  expect(goesOn(0, here, { ...there, position: "what somebody knows" })).toBe(false);
  expect(goesOn(0, here, { ...there, seed: "2" })).toBe(false);
});

test("what is tried adds to what is counted, and a board that starts anew at a place has that alone", async () => {
  const record = await played(GAME);
  const explorer = await Explorer.open(placeIn(record, 0), false);
  const before = explorer.tree.nodes.length;
  const legal = await explorer.client.ask("legal", null);
  for (const move of legal) await explorer.arrive(placeTold(record, { seed: "1", plies: 0, path: [move] }));
  expect(explorer.tree.nodes.length).toBe(before + legal.length - 1); // one of them is that of the game
  const shown = told(explorer.here);
  const anew = await Explorer.open(placeTold(record, shown), false);
  expect(told(anew.here)).toEqual(shown);
  expect(anew.tree.nodes.length).toBeLessThanOrEqual(before + 1);
  explorer.close();
  anew.close();
});
