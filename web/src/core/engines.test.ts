// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Client } from "../engine/client";
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
  const asked = vi.spyOn(Client.prototype, "ask");
  void prepareEngine(GAME);
  const taken = await openEngine(GAME);
  await taken.ask("deal", DEAL);
  await Promise.all(asked.mock.results.map(({ value }) => value as Promise<unknown>));
  expect(await taken.ask("boardView", { viewer: 0, assistance: "full" })).toBe(expected);
  expect(asked.mock.calls.map(([name]) => name)).toEqual(["load", "deal", "boardView", "deal", "boardView"]);
  expect(asked.mock.contexts.every((client) => client === taken)).toBe(true);
});
