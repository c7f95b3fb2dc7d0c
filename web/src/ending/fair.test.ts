// @vitest-environment node
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { beforeEach, expect, test, vi } from "vitest";
import { Client } from "../engine/client";
import { SameThread } from "../engine/testing";
import { type Dealt, isFair } from "./fair";

const PACKAGES = new URL("../../../src/bosquet/games/", import.meta.url);
const engineOf = (game: string): URL => new URL(`${game}/engine.wasm`, PACKAGES);
const GAMES = readdirSync(PACKAGES).filter((game) => existsSync(engineOf(game)));
const NONCES = ["1", null];
const OPTIONS = { players: 2 };

beforeEach(() => {
  vi.stubGlobal("fetch", (game: string) => Promise.resolve(new Response(readFileSync(engineOf(game)))));
});

async function engine(game: string): Promise<Client> {
  const client = new Client(new SameThread());
  await client.load({ address: game, game });
  return client;
}

async function dealt(client: Client, secret: string, more = {}): Promise<Dealt> {
  await client.ask("deal", { options: OPTIONS, secret, nonces: NONCES, ...more });
  return (await client.ask("record", null)) as unknown as Dealt;
}

test.each(GAMES)("%s: a deal is fair if it follows from what was promised", async (game) => {
  const client = await engine(game);
  const promise = await client.ask("commitment", { secret: "a" });
  const told = await dealt(client, "a");
  const proof = { secret: "a", nonces: NONCES };
  expect(await isFair(client, promise, proof, told)).toBe(true);
  expect(await isFair(client, "0", proof, told)).toBe(false);
  expect(await isFair(client, promise, { ...proof, secret: "b" }, told)).toBe(false);
  expect(await isFair(client, promise, { ...proof, nonces: ["2", null] }, told)).toBe(false);
  expect(await isFair(client, promise, proof, { ...told, deal: { ...told.deal, more: 1 } })).toBe(false);
  await expect(isFair(client, promise, { ...proof, nonces: [] }, told)).rejects.toThrow("0 nonces");
});

test.each(GAMES)("%s: what lies open in a later game of a duel is that of the first", async (game) => {
  const client = await engine(game);
  const promise = await client.ask("commitment", { secret: "b" });
  const first = await dealt(client, "c");
  const told = await dealt(client, "b", { openAsIn: first.deal });
  const proof = { secret: "b", nonces: NONCES };
  expect(await isFair(client, promise, proof, told, first)).toBe(true);
  expect(await isFair(client, promise, proof, await dealt(client, "b"), first)).toBe(false);
});

test.each(GAMES)("%s: a deal with another box is dealt from it", async (game) => {
  const client = await engine(game);
  const promise = await client.ask("commitment", { secret: "a" });
  for (const part of client.facts.box.filter(({ type }) => type === "summed")) {
    const all = Array.from({ length: part.count }, (_, i) => (i || part.type !== "summed" ? 0 : part.total));
    const told = await dealt(client, "a", { box: { [part.key]: all } });
    expect(told.deal[part.key]).toEqual(all);
    expect(await isFair(client, promise, { secret: "a", nonces: NONCES }, told)).toBe(true);
  }
});
