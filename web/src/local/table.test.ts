// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadGames } from "../core/catalogue";
import { openEngine, prepareEngine, secretAhead } from "../core/engines";
import { Client } from "../engine/client";
import { GAMES, gameWith, SameThread, serveEngines } from "../engine/testing";
import type { AskHint, Hint } from "../client/givenHint";
import type { Ask, NewTable, Position, ScoreSheet, TableState, Tell } from "../client/messages";
import { begunBy, setAgain, setTable } from "./savedTables";
import type { SavedDuel, SavedTable } from "./reading";
import { type Engines, LocalTable } from "./table";

const [GAME] = GAMES as [string];

beforeEach(async () => {
  serveEngines();
  await loadGames();
});
afterEach(() => vi.unstubAllGlobals());

/** What a table here says. */
type Told = Tell | Hint;

/** The engine of a game, without a worker. */
async function engines(game: string): Promise<Engines> {
  const client = new Client(new SameThread());
  await client.load({ address: `http://page/engines/${game}`, game });
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
async function page(kept: SavedTable, again: (duel: SavedDuel | null) => void = () => {}) {
  const told: Told[] = [];
  const changed = vi.fn();
  const engine = await engines(kept.game);
  const table = await LocalTable.open(engine, kept, { changed, again });
  table.connect(0, (text) => void told.push(JSON.parse(text) as Told));
  const ask = <Kind extends Told["type"]>(
    message: Ask | AskHint,
    type: Kind,
  ): Promise<Extract<Told, { type: Kind }>> => {
    const before = told.length;
    table.ask(message);
    return soon(() => told.slice(before).findLast((one): one is Extract<Told, { type: Kind }> => one.type === type));
  };
  const position = () => told.findLast((one): one is Position => one.type === "position")!;
  await soon(position);
  return { table, told, ask, position, changed, client: engine.clients[0] };
}

function newTable(...seats: (string | null)[]): SavedTable {
  return tableOf(GAME, ...seats);
}

function tableOf(game: string, ...seats: (string | null)[]): SavedTable {
  return tableWith({}, game, ...seats);
}

function tableWith(wish: Partial<NewTable>, game: string, ...seats: (string | null)[]): SavedTable {
  return setTable({
    game: game as NewTable["game"],
    options: { players: seats.length },
    seats: seats.map((bot, i) => ({ kind: bot ? "bot" : "here", name: `P${i}`, bot })),
    first: 0,
    pace: "instant",
    assistance: "full",
    ...wish,
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
  expect(kept).toMatchObject({ begun: true, record: await table.record() });
  expect(await table.record()).toMatchObject({
    format: "bosquet/1",
    game,
    players: ["P0", "P1"],
    bots: [null, "level1"],
    result: { scores: sheet.sheet.scores },
  });
  table.close();

  const again = await page(structuredClone(kept));
  expect(again.position()).toEqual({ ...position(), entries: again.position().entries });
  expect(again.position().entries).toHaveLength(position().number);
  expect(again.position().entries.filter(({ undo }) => undo)).toHaveLength(Number(undone));
});

test.each(GAMES)("a table of %s that was dealt ahead is the one that its engine deals", async (game) => {
  const kept = tableOf(game, null, "random");
  await prepareEngine(game, kept);
  expect(secretAhead(game, kept.options)).toBe(kept.secret);
  const client = await openEngine(game);
  const asked = vi.spyOn(client, "ask");
  const told: Told[] = [];
  const engines = { clients: [client] as const, facts: client.facts };
  const table = await LocalTable.open(engines, kept, { changed: vi.fn(), again: vi.fn() });
  table.connect(0, (text) => void told.push(JSON.parse(text) as Told));
  const positions = () => told.filter((one): one is Position => one.type === "position");
  const first = await soon(() => positions()[0]);
  const names = asked.mock.calls.map(([name]) => name);
  expect(names).not.toContain("deal");
  expect(names).not.toContain("boardView");
  const dealt = await page({ ...kept, journal: [] });
  expect(first).toEqual(dealt.position());
  table.ask(play(first));
  const second = await soon(() => positions()[1]);
  expect(second).toEqual(await dealt.ask(play(first), "position"));
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

test.each(GAMES)(
  "%s without assistance: a move that is refused has its reason, and none is taken back",
  async (game) => {
    const { ask, position, client } = await page({ ...tableOf(game, null, null), assistance: "none" });
    const look = () => ask({ type: "look", seat: position().view.seat }, "position");
    await look();
    const legal = () => client.ask("legal", null);
    const illegal = async () => {
      const tried = position().view.moves.map(({ say }) => say);
      const allowed = await legal();
      expect(tried).toEqual(expect.arrayContaining(allowed));
      return tried.find((say) => !allowed.includes(say));
    };
    let refused = await illegal();
    for (; !refused; refused = await illegal()) {
      const [move] = await legal();
      await ask(play(position(), move), "position");
      expect(position().undo).toBe(false);
      await look();
    }
    const answer = await ask(play(position(), refused), "refused");
    expect(answer).toMatchObject({ code: "illegal", why: { key: expect.any(String) as string } });
  },
);

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

test("who plays again moves on by one seat, so that the last one begins, in another deal", () => {
  const kept = newTable(null, null, "level1");
  const again = setAgain({ ...kept, journal: [{ type: "undo" }], begun: true, record: {} });
  expect(again.seats).toEqual([kept.seats[2], kept.seats[0], kept.seats[1]]);
  expect(again).toMatchObject({ journal: [], begun: false, record: null });
  expect(again.secret).not.toBe(kept.secret);
});

test.each(GAMES)("%s: a duel goes on with what lay open, until the points of all games decide", async (game) => {
  const results: number[][] = [];
  const opens: unknown[] = [];
  let duel: SavedDuel | null = null;
  let kept = tableWith({ duel: true }, game, "greedy", "greedy");
  for (const number of [0, 1]) {
    const { table, told, position, client } = await page(kept, (next) => (duel = next));
    const state = () => told.findLast((one): one is TableState => one.type === "table")!;
    await vi.waitFor(() => expect(state().phase).toBe("over"), { timeout: 20_000 });
    expect(state().duel).toMatchObject({ game: number, games: 2, over: number === 1 });
    results.push(position().view.scores!);
    const record = await table.record();
    expect(record["duel"]).toMatchObject({ game: number, games: 2 });
    await client.ask("verify", { record });
    const deal = record["deal"] as Record<string, unknown>;
    opens.push(client.facts.open_keys.map((key) => deal[key]));
    if (number === 1) {
      const [first, second] = results as [number[], number[]];
      const totals = [second[0]! + first[1]!, second[1]! + first[0]!];
      expect(state().duel!.points).toEqual(totals);
      expect(state().duel!.winners).toEqual([0, 1].filter((seat) => totals[seat] === Math.max(...totals)));
    }
    table.ask({ type: "rematch" });
    await vi.waitFor(() => expect(duel).not.toBeNull());
    const before: SavedTable = kept;
    kept = setAgain(kept, duel);
    expect(kept.seats).toEqual([before.seats[1], before.seats[0]]);
    if (number === 0) expect(kept.duel).toMatchObject({ tables: [before.id], results });
    else expect(kept.duel).toMatchObject({ id: null, tables: [], results: [] });
    table.close();
    duel = null;
  }
  expect(opens[1]).toEqual(opens[0]);
});

test("a game of a duel is not ended while one is ahead; who resigns gives the duel up", async () => {
  let duel: SavedDuel | null = null;
  const kept = tableWith({ duel: true }, GAME, null, "level1");
  const { table, ask, told, position } = await page(kept, (next) => (duel = next));
  expect((await ask({ type: "agree", proposal: "void" }, "refused")).code).toBe("not now");
  await ask({ type: "resign", seat: 0 }, "position");
  await soon(() => position().view.over || undefined);
  expect(told.findLast((one): one is TableState => one.type === "table")).toMatchObject({
    duel: { game: 0, games: 2, tables: [], over: true, winners: [1] },
  });
  table.ask({ type: "rematch" });
  expect(await soon(() => duel ?? undefined)).toMatchObject({ id: null, results: [] });
});

test("who begins is said by those at the screen, and the others follow in the same order", () => {
  const kept = tableWith({ first: "open" }, GAME, null, null, "level1");
  expect(kept).toMatchObject({ open: true, seats: [{ name: "P0" }, { name: "P1" }, { name: "P2" }] });
  const begun = begunBy(kept, 1);
  expect(begun).toMatchObject({ open: false, seats: [{ name: "P1" }, { name: "P2" }, { name: "P0" }] });
});

test("a game with a box of one's own is dealt from it, and a box that can't be is refused", async () => {
  const starts = [
    ["d2", "c2", "e2"],
    ["d6", "e6", "c6"],
  ];
  const box = { starts };
  const kept = tableWith({ box }, GAME, null, null);
  const { table } = await page(kept);
  expect(await table.record()).toMatchObject({ deal: box });
  const bad = tableWith({ box: { starts: [starts[0]!, starts[0]!] } }, GAME, null, null);
  await expect(page(bad)).rejects.toThrow("starts already");
});

test.each([
  ["level6", GAME, 1],
  ["random", GAME, 0],
])("before it has to, the engine searches a little for %s while somebody here thinks", async (bot, game, times) => {
  const { client, position, told } = await page(tableOf(game, null, bot));
  await soon(() => position().view.seat === 0 || undefined);
  await new Promise((done) => setTimeout(done, 100));
  const asked = vi.mocked(client.ask).mock.calls.filter(([name]) => name === "warmUp");
  expect(asked).toHaveLength(times);
  expect(told.filter(({ type }) => type === "hint")).toEqual([]);
});

test("what can be reached is what the engine says of the seat that is to move", async () => {
  const { table, client } = await page(tableOf(gameWith("reachable"), null, null));
  const held = (await client.ask("legal", null)).map((move) => Number(move.replace("card ", "")));
  const card = held[0]!;
  const found = await table.reachable(card);
  expect(found.card).toBe(card);
  expect(JSON.stringify(found)).toBe(await client.ask("reachable", { card }));
  const others = [1, 2, 3, 4, 5, 6].find((one) => !held.includes(one))!;
  await expect(table.reachable(others)).rejects.toThrow("can't be asked");
});
