// @vitest-environment node
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { Client } from "./client";
import { Engine } from "./engine";
import { startModule } from "./module";
import { GAMES, moduleOf, SameThread } from "./testing";
import { ARRAYS, type ListedWeights } from "./weights";

/** The game whose learned values differ with an option `expert`. */
const GAME = await gameWith("expert");
const MODULE = readFileSync(moduleOf(GAME));

afterEach(() => vi.unstubAllGlobals());

async function gameWith(option: string): Promise<string> {
  const modules = await Promise.all(GAMES.map((game) => startModule(readFileSync(moduleOf(game)), game)));
  return modules.find(({ facts }) => option in facts.options)!.game;
}

/** The key of games with two players, a byte for each option that tells which weights a game takes. */
const TWO = 2 << 8;
const EXPERT = TWO + 1;

/** Weights that are all 0, and how the server would list them: it sends them compressed. */
async function weights(key: number): Promise<[Uint8Array<ArrayBuffer>, ListedWeights]> {
  const engine = new Engine(await startModule(MODULE, GAME));
  const size = ARRAYS.learned.reduce((sum, name) => sum + engine.size(`learned_${name}`), 0);
  const line = new TextEncoder().encode(`bosquet.weights 1 ${GAME} learned ${key}\n`);
  const content = Uint8Array.from([...line, ...new Uint8Array(size)]);
  const sha256 = createHash("sha256").update(content).digest("hex");
  return [content, { use: "learned", key, address: `weights ${key}`, bytes: content.length >> 1, sha256 }];
}

/** A game in an engine; the weights are listed, and those that are `sent` come from their addresses. */
async function playing(sent: Map<string, Uint8Array<ArrayBuffer>>, weights: readonly ListedWeights[], expert = false) {
  const fetched = vi.fn(async (address: string) => {
    const content = address === "module" ? MODULE : sent.get(address);
    return new Response(content, { status: content ? 200 : 404 });
  });
  vi.stubGlobal("fetch", fetched);
  const client = new Client(new SameThread());
  await client.load({ address: "module", game: GAME, weights });
  await client.ask("deal", { options: { players: 2, expert }, secret: "1", nonces: ["1", "1"] });
  const isLearned = async () => {
    const { player } = await client.ask("decision", { bot: "champion" });
    return typeof player === "object" && "settings" in player && player.settings.learned === true;
  };
  return { client, isLearned, asked: () => fetched.mock.calls.map(([address]) => address).slice(1) };
}

test("weights are fetched once, for a bot that takes them", async () => {
  const [content, listed] = await weights(TWO);
  const { client, isLearned, asked } = await playing(new Map([[listed.address, content]]), [listed]);
  await client.ask("decision", { bot: "level6" });
  await client.ask("prepare", { bots: ["greedy", "level1"] });
  expect(asked()).toEqual([]);
  await client.ask("prepare", { bots: ["champion"] });
  expect([await isLearned(), await isLearned()]).toEqual([true, true]);
  expect(asked()).toEqual([listed.address]);
});

test("hints take them where they are better by them", async () => {
  const [content, listed] = await weights(EXPERT);
  const { client, asked } = await playing(new Map([[listed.address, content]]), [listed], true);
  await client.ask("hints", { simulations: 2 });
  expect(asked()).toEqual([listed.address]);
});

test("an engine that searches for another one fetches them, too", async () => {
  const [content, listed] = await weights(TWO);
  const { client } = await playing(new Map(), []);
  const [task] = await client.ask("tasks", { seed: "1", engines: 1 });
  const other = await playing(new Map([[listed.address, content]]), [listed], true);
  await other.client.ask("search", { task: task!, settings: { simulations: 1, learned: true } });
  expect(other.asked()).toEqual([listed.address]);
});

test("each kind of game has weights of its own", async () => {
  const [two, expert] = [await weights(TWO), await weights(EXPERT)];
  const sent = new Map([two, expert].map(([content, { address }]) => [address, content]));
  const { client, isLearned, asked } = await playing(sent, [two[1], expert[1]], true);
  expect(await isLearned()).toBe(true);
  await client.ask("deal", { options: { players: 2 }, secret: "1", nonces: ["1", "1"] });
  expect(await isLearned()).toBe(true);
  await client.ask("deal", { options: { players: 3 }, secret: "1", nonces: ["1", "1", "1"] });
  expect(await isLearned()).toBe(false);
  expect(asked()).toEqual([expert[1].address, two[1].address]);
});

test.each([
  ["a byte is another one", (content: Uint8Array<ArrayBuffer>) => content.with(-1, 1)],
  ["they are cut off", (content: Uint8Array<ArrayBuffer>) => content.slice(0, -4)],
  ["nothing comes", () => undefined],
])("the engine goes on without weights where %s, and asks for them again", async (_, damage) => {
  const [content, listed] = await weights(TWO);
  const sent = new Map<string, Uint8Array<ArrayBuffer>>();
  const damaged = damage(content);
  if (damaged) sent.set(listed.address, damaged);
  const { isLearned, asked } = await playing(sent, [listed]);
  expect(await isLearned()).toBe(false);
  sent.set(listed.address, content);
  expect(await isLearned()).toBe(true);
  expect(asked()).toEqual([listed.address, listed.address]);
});
