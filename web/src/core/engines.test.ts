// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Client } from "../engine/client";
import { GAMES, serveEngines } from "../engine/testing";
import { loadGames } from "./catalogue";
import { openEngine, prepareEngine, secretAhead, takeDealt } from "./engines";

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

test("what is dealt ahead is what its engine deals with its secret, and is one table's", async () => {
  await loadGames();
  const { options } = DEAL;
  await prepareEngine(GAME, DEAL);
  expect(secretAhead(GAME, { players: 3 })).toBeUndefined();
  const secret = secretAhead(GAME, options)!;
  expect(secretAhead(GAME, options)).toBeUndefined();
  const engine = await openEngine(GAME);
  const dealt = takeDealt(engine, secret)!;
  expect(takeDealt(engine, secret)).toBeUndefined();
  expect(await engine.ask("deal", { ...DEAL, secret })).toEqual(dealt.turn);
  expect(await engine.ask("boardView", { viewer: 0, assistance: "full" })).toBe(dealt.view);
});

test("an engine deals for a table with a secret of its own, and what is dealt for nobody is no table's", async () => {
  await loadGames();
  await prepareEngine(GAME, DEAL);
  secretAhead(GAME, DEAL.options);
  expect(takeDealt(await openEngine(GAME), "2".repeat(64))).toBeUndefined();
  const { options } = (await prepareEngine(GAME))!;
  expect(secretAhead(GAME, options)).toBeUndefined();
});

test("who takes the engine takes what it has dealt from the next table", async () => {
  await loadGames();
  await prepareEngine(GAME, DEAL);
  await openEngine(GAME);
  expect(secretAhead(GAME, DEAL.options)).toBeUndefined();
});
