// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadGames } from "../../core/catalogue";
import { EngineError } from "../../engine/errors";
import { GAMES, serveEngines } from "../../engine/testing";
import { tab } from "../../shell/store";
import { played } from "../replay/played.testing";
import { Explorer } from "./explorer.svelte";
import { placeIn } from "./place";
import type { Node } from "./tree";

vi.mock("../../shell/words.svelte", () => ({ t: (key: string) => key }));
const [GAME] = GAMES as [string];

let explorer: Explorer;
beforeEach(async () => {
  serveEngines();
  await loadGames();
  vi.spyOn(tab, "set");
  vi.spyOn(tab, "read");
});
afterEach(() => {
  explorer.close();
  vi.unstubAllGlobals();
});

/** Make the last legal move at the beginning of a game. */
async function tried(keeps: boolean): Promise<Node[]> {
  explorer = await Explorer.open(placeIn(await played(GAME), 0), keeps);
  await explorer.play((await explorer.client.ask("legal", null)).at(-1)!);
  return explorer.path;
}

test("what is tried is kept for when the page is loaded again", async () => {
  expect(await tried(true)).toHaveLength(1);
  expect(tab.read).toHaveBeenCalled();
  expect(tab.set).toHaveBeenCalledOnce();
});

test("what others may have tried is not kept", async () => {
  expect(await tried(false)).toHaveLength(1);
  expect(tab.set).not.toHaveBeenCalled();
  expect(tab.read).not.toHaveBeenCalled();
});

test.each([
  ["move", "analysis.illegal"],
  ["failed", "common.no_engine"],
] as const)("why a move is not made is said where it is a %s", async (reason, said) => {
  explorer = await Explorer.open(placeIn(await played(GAME), 0), false);
  vi.spyOn(explorer.client, "ask").mockRejectedValue(new EngineError(reason, "memory access out of bounds"));
  await explorer.play("any");
  expect(explorer.problem).toBe(said);
});
