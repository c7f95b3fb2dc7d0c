// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadGames } from "../../core/catalogue";
import { GAMES, serveEngines } from "../../engine/testing";
import { tab } from "../../shell/store";
import { played } from "../replay/played.testing";
import { Explorer } from "./explorer.svelte";
import { placeIn } from "./place";
import { Tree, type Node } from "./tree";

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

test("what others may have tried is not kept, and does not grow without end", async () => {
  const path = await tried(false);
  const game = explorer.tree.nodes.filter(({ plies }) => plies !== undefined);
  await explorer.arrive({ plies: 0, path: path.map(({ say }) => say) });
  expect(explorer.path).toEqual(path);
  const many = Array.from({ length: 2000 }, (_, i) => ({ ...path[0]!, id: 10_000 + i, say: `try ${i}` }));
  explorer.tree = new Tree([...game, ...many]);
  explorer.at = 10_000;
  await explorer.arrive({ plies: 0, path: [path[0]!.say] });
  expect(explorer.tree.nodes).toHaveLength(game.length + 1);
  expect(explorer.path.map(({ say }) => say)).toEqual([path[0]!.say]);
  expect(tab.set).not.toHaveBeenCalled();
  expect(tab.read).not.toHaveBeenCalled();
});
