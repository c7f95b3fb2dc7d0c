// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadGames } from "../../core/catalogue";
import type { Client } from "../../engine/client";
import { FOREIGN, GAMES, serveEngines } from "../../engine/testing";
import { played } from "../replay/played.testing";
import { type Opened, Study } from "../replay/study";
import { coached, judged, playedAgain } from "./byEngine";
import type { Judged, Line, Receipt, Step } from "./lines";

vi.mock("../../shell/words.svelte", () => ({ t: (key: string) => key }));

const GAME = GAMES.at(-1)!;

let study: Study;
beforeEach(async () => {
  serveEngines();
  vi.stubGlobal("navigator", { hardwareConcurrency: 2 });
  await loadGames();
  study = new Study();
});
afterEach(() => {
  study.close();
  vi.unstubAllGlobals();
});

/** Few simulations and games say something, too. */
function quick(client: Client): Client {
  const ask = client.ask.bind(client);
  vi.spyOn(client, "ask").mockImplementation((name, asked, signal) =>
    ask(name, name === "weigh" ? ({ ...asked, simulations: 2 } as typeof asked) : asked, signal),
  );
  client.facts.luck.games = 3;
  return client;
}

async function opened(record: Record<string, unknown>): Promise<[Opened, [Client, ...Client[]]]> {
  const found = (await study.open(record))!;
  const engines = await study.engines();
  engines.forEach(quick);
  return [found, engines];
}

async function all(lines: AsyncIterable<Line>): Promise<Line[]> {
  const found: Line[] = [];
  for await (const line of lines) found.push(line);
  return found;
}

const never = new AbortController().signal;

/** The first of some lines. */
async function some(lines: AsyncGenerator<Line>, count: number): Promise<unknown[]> {
  const found: unknown[] = [];
  while (found.length < count) found.push((await lines.next()).value);
  await lines.return(undefined);
  return found;
}

test.each(GAMES)("%s: several engines say what one says", async (game) => {
  const [found, engines] = await opened(await played(game));
  expect(engines).toHaveLength(2);
  const lines = await some(coached(found, engines, never), 6);
  expect(lines[0]).toMatchObject({ type: "begun", game, bots: [null, null] });
  expect(await some(coached(found, [engines[0]], never), 6)).toEqual(lines);
});

test("every decision is told, the last one first, and what they come to", async () => {
  const [begun, ...told] = await all(coached(...(await opened(await played(GAME))), never));
  const [end, ...steps] = told.reverse() as [Judged, ...Step[]];
  expect(steps.map(({ done }) => done).reverse()).toEqual(steps.map((_, i) => i + 1));
  expect(begun).toMatchObject({ steps: steps.length });
  const made = steps.flatMap(({ decision }) => decision ?? []);
  expect(made.map(({ ply }) => ply)).toEqual(made.map(({ ply }) => ply).sort((a, b) => a - b));
  expect(end).toEqual(judged(made as never, begun as never, { coach: { costliest: 3 } as never }));
});

test("bots play the deal again", async () => {
  const [found] = await opened(await played(GAME));
  const lines = await all(playedAgain(found, never));
  expect(lines.map(({ type }) => type)).toEqual(["begun", "step", "step", "step", "receipt"]);
  expect((lines.at(-1) as Receipt).spreads.map(({ points }) => points.length)).toEqual([3, 3]);
});

test("a game that goes on has no coach, and one that was ended early no luck", async () => {
  const record = await played(GAME, 3);
  const [found, engines] = await opened(record);
  await expect(all(coached(found, engines, never))).rejects.toMatchObject({ code: "not now" });
  await expect(all(playedAgain(found, never))).rejects.toMatchObject({ code: "not now" });
  const [early, again] = await opened({ ...record, ending: { how: "void", resigned: [] } });
  await expect(all(playedAgain(early, never))).rejects.toMatchObject({ code: "not now" });
  expect((await all(coached(early, again, never))).at(-1)).toMatchObject({ type: "judged" });
});

test("who leaves ends what is worked out", async () => {
  const [found, engines] = await opened(await played(GAME));
  const leave = new AbortController();
  const lines = coached(found, engines, leave.signal);
  await lines.next();
  await lines.next();
  leave.abort();
  const rest = async () => {
    for await (const _ of lines);
  };
  await expect(rest()).rejects.toMatchObject({ reason: "cancelled" });
});

test("what the decisions come to is what Python's coach says", () => {
  const decision = (seat: number, loss: number, kind?: string) =>
    ({ seat, loss, reason: kind ? { kind, points: 1 } : null }) as never;
  const made = [decision(0, 0.1, "opened"), decision(1, 0), decision(0, 0.2), decision(1, 0.3, "opened")];
  const seated = { names: ["Ann", "Bea"], bots: [null, null] };
  expect(judged(made, seated, { coach: { costliest: 3 } as never })).toEqual({
    type: "judged",
    costliest: [3, 0],
    lost: [0.3, 0.3],
    decisions: [2, 2],
  });
  const { costliest } = judged(made, { ...seated, bots: [null, "level2"] }, { coach: { costliest: 3 } as never });
  expect(costliest, "those of people").toEqual([0]);
});

test("a game without an engine is left to the server", async () => {
  expect(await study.open({ game: FOREIGN })).toBeUndefined();
});
