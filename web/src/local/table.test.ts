// @vitest-environment node
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { catalogue } from "../server/api";
import { loadGames } from "../core/catalogue";
import { Client, type Wire } from "../engine/client";
import { Host } from "../engine/host";
import type { Ask, NewTable, Position, ScoreSheet, TableState, Tell } from "../server/messages";
import { type KeptTable, setAgain, setTable } from "./kept";
import { type Engines, LocalTable } from "./table";

vi.mock("../server/api", () => ({ catalogue: vi.fn() }));
const PACKAGES = new URL("../../../src/bosquet/games/", import.meta.url);
const engineOf = (game: string): URL => new URL(`${game}/engine.wasm`, PACKAGES);
const GAMES = readdirSync(PACKAGES).filter((game) => existsSync(engineOf(game)));
const [GAME] = GAMES as [string];

beforeEach(async () => {
  const listed = GAMES.map((name) => ({ name, title: name, players: [2, 3, 4], options: {}, pace: 0 }));
  vi.mocked(catalogue).mockResolvedValue({ games: listed, away: false });
  vi.stubGlobal(
    "fetch",
    vi.fn(async (address: string) => new Response(readFileSync(engineOf(address)))),
  );
  await loadGames();
});
afterEach(() => vi.unstubAllGlobals());

/** The engine of a game, without a worker. */
async function engines(game: string): Promise<Engines> {
  const wire: Wire = { onmessage: null, postMessage: (request) => void host.hear(structuredClone(request)) };
  const host = new Host((data) => wire.onmessage?.({ data: structuredClone(data) } as MessageEvent));
  const client = new Client(wire);
  await client.load({ address: game, game });
  const ask = client.ask.bind(client);
  // Few simulations find a hint, too.
  vi.spyOn(client, "ask").mockImplementation((name, asked, signal) =>
    ask(name, name === "hints" ? ({ simulations: 10 } as typeof asked) : asked, signal),
  );
  return { clients: [client], facts: client.facts };
}

/** Wait until there is something. */
function soon<Value>(find: () => Value | undefined): Promise<Value> {
  const wait = () => {
    const found = find();
    if (found === undefined) throw new Error("there is nothing yet");
    return found;
  };
  return vi.waitFor(wait, { timeout: 5000, interval: 1 });
}

/** A page at a table: what it has been told, and asking for something until there is an answer of a kind. */
async function page(kept: KeptTable, again = () => {}) {
  const told: Tell[] = [];
  const changed = vi.fn();
  const table = await LocalTable.open(await engines(kept.game), kept, { changed, again });
  table.connect(0, (text) => void told.push(JSON.parse(text) as Tell));
  const ask = <Kind extends Tell["type"]>(message: Ask, type: Kind): Promise<Extract<Tell, { type: Kind }>> => {
    const before = told.length;
    table.ask(message);
    return soon(() => told.slice(before).findLast((one): one is Extract<Tell, { type: Kind }> => one.type === type));
  };
  const position = () => told.findLast((one): one is Position => one.type === "position")!;
  await soon(position);
  return { table, told, ask, position, changed };
}

function newTable(...seats: (string | null)[]): KeptTable {
  return tableOf(GAME, ...seats);
}

function tableOf(game: string, ...seats: (string | null)[]): KeptTable {
  return setTable({
    game: game as NewTable["game"],
    options: { players: seats.length },
    seats: seats.map((bot, i) => ({ kind: bot ? "bot" : "here", name: `P${i}`, bot })),
    first: 0,
    pace: "instant",
    assistance: "full",
  });
}

/** Make a move: of those that are legal another one at each position. */
const play = ({ number, view }: Position, move = view.moves[(7 * number) % view.moves.length]!.say): Ask => ({
  type: "play",
  seat: view.seat!,
  number,
  move,
});

test.each(GAMES)("%s is played against a level to its sheet, and taken up from what is kept", async (game) => {
  const kept = tableOf(game, null, "level1");
  const { told, ask, position, table } = await page(kept);
  const [state] = told as [TableState];
  expect(state).toMatchObject({ type: "table", phase: "playing", mine: [0], hints: true });
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
  expect(told.findLast(({ type }) => type === "table")).toMatchObject({ phase: "over", ending: null });
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
  expect(await refused(play(now, "nonsense"))).toBe("illegal");
  expect(await refused({ ...play(now), number: 7 } as Ask)).toBe("stale");
  expect(await refused({ ...play(now), seat: 1 } as Ask)).toBe("not now");
  expect(await refused({ type: "look", seat: 2 })).toBe("not yours");
  expect(await refused({ type: "undo", seat: 0, number: 0 })).toBe("not now");
  expect(await refused({ type: "rematch" })).toBe("not now");
  expect(await refused({ type: "resign", seat: 2 })).toBe("not yours");
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

test("hints are given as at a server: with all assistance, or where those here agree", async () => {
  const full = await page(newTable(null, "level1"));
  await soon(() => full.position().view.seat === 0 || undefined);
  const hint = await full.ask({ type: "hint", seat: 0 }, "hint");
  expect(hint).toMatchObject({ seat: 0, number: full.position().number });
  expect(full.position().view.moves.map(({ say }) => say)).toContain(hint.choices[0]!.moves[0]);
  expect(hint.choices[0]!.data[0]!.points).toEqual(expect.any(Number));

  const plain = await page({ ...newTable(null, "level1"), assistance: "plain" });
  await soon(() => plain.position().view.seat === 0 || undefined);
  expect((await plain.ask({ type: "hint", seat: 0 }, "refused")).code).toBe("not now");
  expect(await plain.ask({ type: "hints", allow: true }, "table")).toMatchObject({
    hints: true,
    seats: [{ hints: true }, {}],
  });
  const given = await plain.ask({ type: "hint", seat: 0 }, "hint");
  expect(given.choices[0]!.data[0]!.points).toBeNull();
});

test("a game ends early: void, counted as it stands, or resigned", async () => {
  const ended = async (message: Ask, ...seats: (string | null)[]) => {
    const kept = newTable(...seats);
    const { ask, told, position, table } = await page(kept);
    await ask(message, "position");
    await vi.waitFor(() => expect(position().view.over).toBe(true));
    table.close();
    expect((await page(structuredClone(kept))).position().view).toEqual(position().view);
    const { ending } = told.findLast((one): one is TableState => one.type === "table")!;
    return { ending, winners: position().view.winners, last: position().entries.at(-1)?.ending };
  };
  expect(await ended({ type: "agree", proposal: "void" }, null, "level1")).toEqual({
    ending: { how: "void", resigned: [] },
    winners: [],
    last: "void",
  });
  expect(await ended({ type: "agree", proposal: "end" }, null, null)).toMatchObject({
    ending: { how: "agreed", resigned: [] },
    last: "agreed",
  });
  expect(await ended({ type: "resign", seat: 0 }, null, "level1")).toEqual({
    ending: { how: "resigned", resigned: [0] },
    winners: [1],
    last: "resigned",
  });
});

test("where one of three resigns, a bot plays on in the seat, which can't win", async () => {
  const { ask, told, position } = await page(newTable(null, null, "level1"));
  await ask({ type: "resign", seat: 0 }, "position");
  await vi.waitFor(() => expect(position().view.seat).toBe(1));
  expect(told.findLast((one): one is TableState => one.type === "table")).toMatchObject({
    phase: "playing",
    mine: [1],
    seats: [{ kind: "bot", left: "resigned" }, { kind: "human" }, { kind: "bot" }],
  });
});

test("who plays again moves on by one seat, in another deal", () => {
  const kept = newTable(null, "level1");
  const again = setAgain({ ...kept, journal: [{ type: "undo" }], over: true });
  expect(again.seats).toEqual([kept.seats[1], kept.seats[0]]);
  expect(again).toMatchObject({ journal: [], over: false });
  expect(again.secret).not.toBe(kept.secret);
});
