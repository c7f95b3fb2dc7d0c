// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { GAMES, serveEngines } from "../engine/testing";
import { loadGames } from "./catalogue";
import { openEngine, prepareEngine } from "./engines";

const [GAME] = GAMES as [string, ...string[]];
const DEAL = { options: { players: 2 }, secret: "1".repeat(64), nonces: [null, null] };

beforeEach(serveEngines);
afterEach(() => vi.unstubAllGlobals());

test("who takes an engine while it is made ready plays their own deal", async () => {
  await loadGames();
  const alone = await openEngine(GAME);
  await alone.ask("deal", DEAL);
  const expected = await alone.ask("boardView", { viewer: 0, assistance: "full" });
  void prepareEngine(GAME);
  const taken = await openEngine(GAME);
  await taken.ask("deal", DEAL);
  for (let i = 0; i < 3; i++) await new Promise((done) => setTimeout(done));
  expect(await taken.ask("boardView", { viewer: 0, assistance: "full" })).toBe(expected);
});
