// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Client, open } from "../../engine/client";
import { GAMES, serveEngines } from "../../engine/testing";
import type { Frame } from "../../client/messages";
import { played } from "../replay/played.testing";
import { placeIn, placeOfText } from "./place";
import { playedIn, takeUp } from "./takeUp";

beforeEach(serveEngines);
afterEach(() => {
  vi.unstubAllGlobals();
});

const [GAME] = GAMES as [string];
const engineOf = (game: string) => open({ address: `/engines/${game}`, game });
const viewOf = async (client: Client, viewer: number | null) => client.ask("view", { viewer, assistance: "aids" });

test.each(GAMES)("%s: every position of a game can be taken up", async (game) => {
  const record = await played(game);
  const client = await engineOf(game);
  const place = placeIn(record);
  const line = await playedIn(client, place);
  const frames = JSON.parse(await client.ask("frames", { viewpoint: null })) as Frame[];
  expect(line.at(-1)?.plies).toBe((record["moves"] as string[]).length);
  for (let made = 0; made <= line.length; made += Math.ceil(line.length / 12)) {
    await takeUp(client, place, line.slice(0, made));
    expect(JSON.parse(await viewOf(client, null))).toEqual(frames[line[made - 1]?.plies ?? 0]?.view);
  }
});

test.each(GAMES)("%s: another move goes on in the same way each time", async (game) => {
  const client = await engineOf(game);
  const place = placeIn(await played(game));
  const path = (await playedIn(client, place)).slice(0, 5).map(({ say, plies }) => ({ say, plies }));
  let turn = await takeUp(client, place, path);
  const tried: { say: string; plies?: number }[] = [];
  while (!turn.over) {
    const say = (await client.ask("legal", null)).at(-1)!;
    tried.push({ say });
    turn = await client.ask("play", { move: say });
  }
  const end = await client.ask("view", { viewer: null, assistance: "full" });
  expect(await takeUp(client, place, [...path, ...tried])).toEqual(turn);
  expect(await client.ask("view", { viewer: null, assistance: "full" })).toBe(end);
});

test.each(GAMES)("%s: from what a seat knows, the rest is drawn", async (game) => {
  const client = await engineOf(game);
  const place = placeIn(await played(game));
  const path = (await playedIn(client, place)).slice(0, 4);
  const { seat } = await takeUp(client, place, path);
  const known = await viewOf(client, seat);
  const position = await client.ask("position", { viewer: seat });
  const worlds = new Set<string>();
  for (let seed = 0; seed < 8; seed += 1) {
    await takeUp(client, { ...placeOfText(position), seed: String(seed) }, []);
    expect(await viewOf(client, seat)).toBe(known);
    expect(await client.ask("position", { viewer: seat })).toBe(position);
    worlds.add(await client.ask("revealed", null));
  }
  expect(worlds.size).toBeGreaterThan(1);
});

test("a game that ended early is played on", async () => {
  const record = { ...(await played(GAME, 6)), ending: { how: "void", resigned: [] } };
  const client = await engineOf(GAME);
  const place = placeIn(record);
  const line = await playedIn(client, place);
  expect(line).toHaveLength(6);
  expect((await takeUp(client, place, line)).over).toBe(false);
});

test.each([
  [`${GAME}/players=9`, "players"],
  [`${GAME}/players=2/view=0/nonsense=1`, "nonsense"],
])("a wrong text of a position names the place: %s", async (text, place) => {
  const client = await engineOf(GAME);
  await expect(takeUp(client, placeOfText(text), [])).rejects.toThrow(place);
});
