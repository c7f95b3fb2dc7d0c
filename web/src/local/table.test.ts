// @vitest-environment node
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { catalogue } from "../server/api";
import { loadGames } from "../core/catalogue";
import { Client, type Wire } from "../engine/client";
import { Host } from "../engine/host";
import type { Ask, Position, ScoreSheet, TableState, Tell } from "../server/messages";
import { type KeptTable, setAgain, setTable } from "./kept";
import { LocalTable } from "./table";

vi.mock("../server/api", () => ({ catalogue: vi.fn() }));
const FILE = new URL("../../../src/bosquet/games/topiary/engine.wasm", import.meta.url);
const PLAYERS = [2, 3, 4];

beforeEach(async () => {
  const option = (values: (boolean | string)[]) => ({ values, default: values[0]!, players: PLAYERS });
  const topiary = {
    name: "topiary",
    title: "Topiary",
    players: PLAYERS,
    options: { draft: option([false, true]), removed: option(["drawn", "T"]) },
    levels: [{ simulations: 2, candidate_dropout: 0 }],
    pace: 0,
  };
  vi.mocked(catalogue).mockResolvedValue({ games: [topiary], away: false });
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => new Response(readFileSync(FILE))),
  );
  await loadGames();
});
afterEach(() => vi.unstubAllGlobals());

/** The engine of Topiary, without a worker. */
async function engine(): Promise<Client> {
  const wire: Wire = { onmessage: null, postMessage: (request) => void host.hear(structuredClone(request)) };
  const host = new Host((data) => wire.onmessage?.({ data: structuredClone(data) } as MessageEvent));
  const client = new Client(wire);
  await client.ask("load", { address: "/engine.wasm", game: "topiary" });
  return client;
}

/** A page at a table: what it has been told, and asking for something until there is an answer of a kind. */
async function page(kept: KeptTable, again = () => {}) {
  const told: Tell[] = [];
  const heard: (() => void)[] = [];
  const changed = vi.fn();
  const table = await LocalTable.open(await engine(), kept, { changed, again });
  table.connect(0, (text) => {
    told.push(JSON.parse(text) as Tell);
    for (const hear of heard.splice(0)) hear();
  });
  const next = <Kind extends Tell["type"]>(type: Kind, after: number): Promise<Extract<Tell, { type: Kind }>> =>
    vi.waitFor(
      async () => {
        const found = told.slice(after).findLast((one) => one.type === type);
        if (!found) await new Promise<void>((done) => heard.push(done));
        return (found ?? told.findLast((one) => one.type === type)) as Extract<Tell, { type: Kind }>;
      },
      { timeout: 5000 },
    );
  const ask = <Kind extends Tell["type"]>(message: Ask, type: Kind) => {
    const after = told.length;
    table.ask(message);
    return next(type, after);
  };
  const position = () => told.findLast((one): one is Position => one.type === "position")!;
  await vi.waitFor(() => expect(position()).toBeDefined());
  return { table, told, ask, position, changed };
}

function newTable(...seats: (string | null)[]): KeptTable {
  return setTable({
    game: "topiary",
    options: { players: seats.length, draft: false, removed: "drawn" },
    seats: seats.map((bot, i) => ({ kind: bot ? "bot" : "here", name: `P${i}`, bot })),
    first: 0,
    pace: "instant",
    assistance: "full",
  });
}

const play = ({ number, view }: Position, move = view.moves[0]!.say): Ask => ({
  type: "play",
  seat: view.seat!,
  number,
  move,
});

test("a game against a level is played to its sheet, and taken up from what is kept at any time", async () => {
  const kept = newTable(null, "level1");
  const { told, ask, position, table } = await page(kept);
  const [state] = told as [TableState];
  expect(state).toMatchObject({ type: "table", phase: "playing", mine: [0], hints: false });
  expect(state.seats.map(({ kind, bot, name }) => [kind, bot, name])).toEqual([
    ["human", null, "P0"],
    ["bot", "level1", "P1"],
  ]);
  let undone = false;
  while (!position().view.over) {
    if (position().view.seat !== 0) {
      await new Promise((done) => setTimeout(done));
      continue;
    }
    const before = position();
    await ask(play(before), "position");
    if (position().undo && !undone) {
      undone = true;
      await ask({ type: "undo", seat: 0, number: position().number }, "position");
      expect(position().entries.at(-1)).toMatchObject({ seat: 0, undo: true, move: null, say: "" });
      expect(position().view.moves).toEqual(before.view.moves);
    }
  }
  const sheet = await vi.waitFor(() => told.find((one): one is ScoreSheet => one.type === "sheet")!);
  expect(sheet.sheet.scores).toEqual(position().view.scores);
  expect(sheet.sheet.winners.length).toBeGreaterThan(0);
  await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ type: "table", phase: "over" }));
  expect(kept.over).toBe(true);
  table.close();

  const again = await page(structuredClone(kept));
  expect(again.position()).toEqual({ ...position(), entries: again.position().entries });
  expect(again.position().entries).toHaveLength(position().number);
  expect(again.position().entries.filter(({ undo }) => undo)).toHaveLength(Number(undone));
});

test("what can't be done is refused and changes nothing", async () => {
  const kept = newTable(null, null);
  const { ask, position, changed } = await page(kept);
  expect(position().viewpoint).toBeNull();
  await ask({ type: "look", seat: 0 }, "position");
  const now = position();
  const refused = async (message: Ask) => (await ask(message, "refused")).code;
  expect(await refused(play(now, "a1"))).toBe("illegal");
  expect(await refused({ ...play(now), number: 7 } as Ask)).toBe("stale");
  expect(await refused({ ...play(now), seat: 1 } as Ask)).toBe("not now");
  expect(await refused({ type: "look", seat: 2 })).toBe("not yours");
  expect(await refused({ type: "undo", seat: 0, number: 0 })).toBe("not now");
  expect(await refused({ type: "rematch" })).toBe("not now");
  expect(position()).toEqual(now);
  expect(changed).not.toHaveBeenCalled();
});

test("of two people at the screen each sees their own hand, and the log as they know it", async () => {
  const { ask, position } = await page(newTable(null, null));
  await ask({ type: "look", seat: 0 }, "position");
  const mine = position();
  expect(mine.view.moves.length).toBeGreaterThan(0);
  await ask({ type: "look", seat: 1 }, "position");
  expect(position().viewpoint).toBe(1);
  expect(position().view.moves).toEqual([]);
  expect(position().view).not.toEqual(mine.view);
});

test("who plays again moves on by one seat, in another deal", () => {
  const kept = newTable(null, "level1");
  const again = setAgain({ ...kept, journal: ["a"], over: true });
  expect(again.seats).toEqual([kept.seats[1], kept.seats[0]]);
  expect(again).toMatchObject({ journal: [], over: false });
  expect(again.seed).not.toBe(kept.seed);
});
