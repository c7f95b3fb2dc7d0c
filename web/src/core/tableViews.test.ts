// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Client, open } from "../engine/client";
import { FOREIGN, GAMES, gameWith, SameThread, serveEngines } from "../engine/testing";
import type { TableWire } from "../client/tableConnection.svelte";
import { loadGames } from "./catalogue";
import { TableViews } from "./tableViews";

class FakeSocket implements TableWire {
  readyState = 1;
  sent: string[] = [];
  onmessage: TableWire["onmessage"] = null;
  onclose: TableWire["onclose"] = null;

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.readyState = 3;
  }

  hear(message: object | ""): void {
    this.onmessage?.(new MessageEvent("message", { data: message && JSON.stringify(message) }));
  }
}

const failed = vi.fn();
const asking = Client.prototype.ask;
let views: TableViews;
let socket: FakeSocket;
let wire: TableWire;
let heard: unknown[];

beforeEach(async () => {
  serveEngines();
  await loadGames();
  failed.mockClear();
  views = new TableViews();
  connect();
});

afterEach(() => {
  views.close();
  vi.unstubAllGlobals();
});

function connect(): void {
  socket = new FakeSocket();
  wire = views.over(socket, failed);
  heard = [];
  wire.onmessage = ({ data }) => heard.push(data && JSON.parse(data as string));
}

/** A game of two in an engine of its own, after a move. */
async function played(game: string): Promise<Client> {
  const client = await open({ address: `/engines/${game}`, game }, new SameThread());
  await client.ask("deal", { options: { players: 2 }, secret: game, nonces: [null, null] });
  const [move] = await client.ask("legal", null);
  await client.ask("play", { move: move! });
  return client;
}

async function known(client: Client, viewer: number | null): Promise<object> {
  const position = await client.ask("position", { viewer });
  return { type: "known", number: 1, viewpoint: viewer, entries: [{ number: 0 }], position, undo: false };
}

const table = (game: string, assistance = "full") => ({ type: "table", game, assistance });

test.each(GAMES)("what a viewer of %s knows is heard as what it sees", async (game) => {
  const client = await played(game);
  for (const assistance of ["full", "plain", "none"] as const) {
    socket.hear(table(game, assistance));
    for (const viewer of [null, 0, 1]) {
      socket.hear(await known(client, viewer));
      const view: unknown = JSON.parse(await client.ask("boardView", { viewer, assistance }));
      const position = { type: "position", number: 1, viewpoint: viewer, entries: [{ number: 0 }], undo: false, view };
      await vi.waitFor(() => expect(heard.at(-1)).toEqual(position));
    }
  }
  expect(failed).not.toHaveBeenCalled();
});

test("what a viewer can reach is worked out of what it knows, until the server sends a view", async () => {
  const game = gameWith("reachable");
  const client = await played(game);
  expect(views.current).toBe(false);
  await expect(views.reachable(1)).rejects.toThrow("there is no position");
  socket.hear(table(game));
  const { seat } = JSON.parse(await client.ask("view", { viewer: null, assistance: "full" })) as { seat: number };
  const view = JSON.parse(await client.ask("view", { viewer: seat, assistance: "full" })) as { played: number };
  socket.hear(await known(client, seat));
  expect(views.current).toBe(true);
  const found = await views.reachable(view.played);
  expect(JSON.stringify(found)).toBe(await client.ask("reachable", { card: view.played }));
  expect(found.figures.length).toBeGreaterThan(0);
  socket.hear(await known(client, 1 - seat));
  await expect(views.reachable(view.played)).rejects.toThrow("can't be asked");
  socket.hear({ type: "position", number: 2 });
  expect(views.current).toBe(false);
});

test.each(GAMES)("a hint of %s is found in what the seat knows, and the server is told of it alone", async (game) => {
  const few = vi.spyOn(Client.prototype, "ask").mockImplementation(function (this: Client, name, asked, signal) {
    return asking.call(this, name, name === "hints" ? { simulations: 10 } : asked, signal) as never;
  });
  const client = await played(game);
  const { seat } = JSON.parse(await client.ask("view", { viewer: null, assistance: "full" })) as { seat: number };
  socket.hear({ ...table(game), hints: false });
  socket.hear(await known(client, seat));
  await vi.waitFor(() => expect(heard).toHaveLength(2));
  const asks = (of: number) => wire.send(JSON.stringify({ type: "hint", seat: of }));
  asks(seat);
  await vi.waitFor(() => expect(heard.at(-1)).toMatchObject({ type: "refused", code: "not now" }));
  expect(socket.sent).toEqual([]);
  socket.hear({ ...table(game), hints: true });
  asks(seat);
  await vi.waitFor(() => expect(heard.at(-1)).toMatchObject({ type: "hint", seat, number: 1 }), 5000);
  expect(socket.sent).toEqual([JSON.stringify({ type: "hinted" })]);
  const hint = heard.at(-1) as { choices: unknown[] };
  expect(hint.choices).toEqual(await client.ask("hints", {}));
  asks(1 - seat);
  await vi.waitFor(() => expect(heard.at(-1)).toMatchObject({ type: "refused", code: "not now" }));
  socket.hear({ ...table(game, "plain"), hints: true });
  asks(seat);
  await vi.waitFor(() => expect(heard.at(-1)).toMatchObject({ type: "hint" }), 5000);
  expect(JSON.stringify(heard.at(-1))).not.toMatch(/"(points|rows|sight)":[[\d][^}]*"cells"/);
  const last = heard.length;
  asks(seat);
  socket.hear(await known(client, 1 - seat));
  await new Promise((done) => setTimeout(done, 100));
  expect(heard.slice(last).filter((one) => (one as { type: string }).type === "hint")).toEqual([]);
  few.mockRestore();
});

test("all is heard in its order, and an answer to a heartbeat at once", async () => {
  const [game] = GAMES;
  const client = await played(game!);
  const closed = vi.fn(() => heard.push("closed"));
  wire.onclose = closed;
  socket.hear(table(game!));
  expect(heard).toEqual([table(game!)]);
  socket.hear(await known(client, 0));
  socket.hear({ type: "sheet" });
  socket.onclose?.({} as CloseEvent);
  socket.hear("");
  expect(heard.slice(1)).toEqual([""]);
  await vi.waitFor(() => expect(closed).toHaveBeenCalled());
  expect(heard.slice(2)).toMatchObject([{ type: "position" }, { type: "sheet" }, "closed"]);
  wire.send('{"type":"asked"}');
  wire.send("");
  expect(socket.sent).toEqual(['{"type":"asked"}', ""]);
});

test("what is closed is heard no more", async () => {
  const [game] = GAMES;
  const client = await played(game!);
  socket.hear(table(game!));
  socket.hear(await known(client, 0));
  wire.close();
  expect(wire.readyState).toBe(3);
  await new Promise((done) => setTimeout(done, 50));
  expect(heard).toEqual([table(game!)]);
});

test("a page names the engines of all games that have one, until one of them can't be had", async () => {
  expect(views.hashes).toEqual(GAMES.map((game) => `hash of ${game}`));
  const [game] = GAMES;
  const position = await known(await played(game!), 0);
  vi.stubGlobal("fetch", async () => new Response("", { status: 404 }));
  socket.hear(table(game!));
  socket.hear(position);
  socket.hear(position);
  await vi.waitFor(() => expect(failed).toHaveBeenCalled());
  await new Promise((done) => setTimeout(done, 20));
  expect(failed).toHaveBeenCalledOnce();
  expect(views.hashes).toEqual([]);
});

test("a position that the engine can't read is not shown: the page asks for views", async () => {
  const [game] = GAMES;
  socket.hear(table(game!));
  socket.hear({ type: "known", number: 0, viewpoint: null, entries: [], position: `${game}/players=9`, undo: false });
  await vi.waitFor(() => expect(failed).toHaveBeenCalledOnce());
  expect(heard).toEqual([table(game!)]);
  expect(views.hashes).toEqual([]);
});

test("views of a game without an engine are heard as they are", () => {
  const message = { type: "position", view: { game: FOREIGN } };
  socket.hear(table(FOREIGN));
  socket.hear(message);
  expect(heard).toEqual([table(FOREIGN), message]);
});
