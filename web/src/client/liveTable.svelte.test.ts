import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { device } from "../shell/store";
import { parts } from "../shell/parts.svelte";
import { LiveTable } from "./liveTable.svelte";
import type { TableWire } from "./tableConnection.svelte";
import type { Position, TableState, LogEntry } from "./messages";

class FakeSocket {
  static readonly OPEN = 1;
  static made: FakeSocket[] = [];
  readyState = FakeSocket.OPEN;
  sent: unknown[] = [];
  beats = 0;
  onmessage: ((event: { data: string }) => void) | undefined;
  onclose: (() => void) | undefined;

  constructor(readonly address: URL) {
    FakeSocket.made.push(this);
  }

  send(text: string): void {
    if (text) this.sent.push(JSON.parse(text));
    else this.beats += 1;
  }

  close(): void {
    this.readyState = 3;
  }

  hear(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  answer(): void {
    this.onmessage?.({ data: "" });
  }

  async breakOff(): Promise<void> {
    this.close();
    this.onclose?.();
    await vi.advanceTimersByTimeAsync(0);
  }
}

const NEWS = { type: "table", phase: "playing", mine: [0], seats: [{ ready: true }] } as unknown as TableState;

function position(number: number, told: Partial<LogEntry>[]): Position {
  return { type: "position", number, viewpoint: 0, entries: told, view: {}, undo: false } as unknown as Position;
}

let live: LiveTable;
const socket = () => FakeSocket.made.at(-1)!;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.made = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => new Response("{}")),
  );
  device.clear();
  live = new LiveTable("abc");
});

afterEach(() => {
  live.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("it connects to its table and asks for everything first", () => {
  expect(socket().address.pathname).toBe("/api/tables/abc/live");
  expect(socket().address.searchParams.get("since")).toBe("0");
  expect(live.link).toBe("connecting");
  socket().hear(NEWS);
  expect(live.link).toBe("open");
  expect(live.news).toEqual(NEWS);
});

test("in the waiting room a seat of one's own adds a nonce, the same one again after a reload", () => {
  const waiting = { ...NEWS, phase: "waiting", seats: [{ ready: false }] };
  socket().hear(waiting);
  const [ready] = socket().sent as { type: string; nonce: string }[];
  expect(ready?.type).toBe("ready");
  expect(ready?.nonce).toMatch(/^[0-9a-f]{32}$/);
  expect(live.nonce).toBe(ready?.nonce);
  live.connectNow();
  socket().hear(waiting);
  expect(socket().sent).toEqual([ready]);
});

test("a page with engines names them, hears what they work out, and connects without them when they can't", () => {
  let failed = () => {};
  const views = {
    hashes: ["one", "two"],
    current: true,
    reachable: async (card: number) => ({ card, figures: [] }),
    over: (wire: TableWire, tell: () => void) => {
      failed = () => ((views.hashes = []), tell());
      return wire;
    },
  };
  const { searchParams } = socket().address;
  expect(searchParams.has("engines")).toBe(false);
  const seeing = new LiveTable("abc", false, undefined, views);
  expect(socket().address.searchParams.get("engines")).toBe("one,two");
  const first = socket();
  failed();
  expect(first.readyState).toBe(3);
  expect(socket()).not.toBe(first);
  expect(socket().address.searchParams.has("engines")).toBe(false);
  expect(seeing.link).toBe("connecting");
  seeing.close();
});

test("what can be reached is worked out here, is told as a hint, and goes with the position", async () => {
  expect(live.givesHints).toBe(false);
  const views = {
    ...{ hashes: ["one"], current: true, over: (wire: TableWire) => wire },
    reachable: vi.fn(async (card: number) => ({ card, figures: [] })),
  };
  const seeing = new LiveTable("abc", false, undefined, views);
  expect(seeing.givesHints).toBe(false);
  const wire = socket();
  wire.hear(position(2, []));
  expect(seeing.givesHints).toBe(true);
  await seeing.askReach(7);
  expect(seeing.reach).toEqual({ card: 7, figures: [] });
  expect(wire.sent).toContainEqual({ type: "hinted" });
  const late = seeing.askReach(8);
  wire.hear(position(3, [{ number: 2 }]));
  await late;
  expect(seeing.reach).toBeNull();
  views.reachable.mockRejectedValueOnce(new Error("not now"));
  await seeing.askReach(9);
  expect(seeing.reach).toBeNull();
  seeing.close();
});

test("a page that is older than the server offers to be loaded again, and gets the new list of games for that", () => {
  socket().hear({ type: "renew" });
  expect(parts.outdated).toBe(true);
  expect(fetch).toHaveBeenCalledWith("/api/games", { cache: "reload" });
  parts.outdated = false;
});

test("the log grows by what is told, and what is told again replaces it", () => {
  socket().hear(position(2, [{ number: 0 }, { number: 1 }]));
  socket().hear(position(3, [{ number: 2 }]));
  expect(live.log.map(({ number }) => number)).toEqual([0, 1, 2]);
  socket().hear(position(3, [{ number: 1 }, { number: 2 }]));
  expect(live.log.map(({ number }) => number)).toEqual([0, 1, 2]);
});

describe("a proposal from here", () => {
  const seats = (mine: string | null, theirs: string | null = null) => ({
    ...NEWS,
    seats: [
      { ready: true, agrees: mine },
      { ready: true, agrees: theirs },
    ],
  });

  test("that is gone while the game goes on was declined, until something is proposed again", () => {
    socket().hear(seats("end"));
    expect(live.declined).toBeUndefined();
    socket().hear(seats(null));
    expect(live.declined).toBe("end");
    socket().hear(seats(null));
    expect(live.declined).toBe("end");
    socket().hear(seats(null, "void"));
    expect(live.declined).toBeUndefined();
  });

  test("that was taken back was not declined, nor what others proposed, nor what was agreed to", () => {
    socket().hear(seats("end"));
    live.ask({ type: "decline" });
    socket().hear(seats(null));
    expect(live.declined).toBeUndefined();
    socket().hear(seats(null, "void"));
    live.ask({ type: "decline" });
    socket().hear(seats(null));
    expect(live.declined).toBeUndefined();
    socket().hear(seats("void"));
    socket().hear({ ...seats(null), phase: "over" });
    expect(live.declined).toBeUndefined();
    socket().hear(seats("void"));
    socket().hear(seats(null));
    expect(live.declined).toBe("void");
  });
});

/** Have the page work out what a table shows. */
function giveHints(): void {
  live.close();
  const views = {
    hashes: [],
    current: true,
    over: (wire: TableWire) => wire,
    reachable: () => Promise.reject(new Error()),
  };
  live = new LiveTable("abc", false, undefined, views);
}

test("a hint is forgotten with its position, and one for another position is not taken", () => {
  giveHints();
  socket().hear(position(1, []));
  live.ask({ type: "hint", seat: 0 });
  expect(live.hinting).toBe(true);
  socket().hear({ type: "hint", seat: 0, number: 1, choices: [] });
  expect(live.hinting).toBe(false);
  expect(live.hint).not.toBeNull();
  socket().hear(position(2, []));
  expect(live.hint).toBeNull();
  socket().hear({ type: "hint", seat: 0, number: 1, choices: [] });
  expect(live.hint).toBeNull();
});

test("a hint that is no longer being found is not waited for", () => {
  giveHints();
  const asked = (): boolean => {
    live.ask({ type: "hint", seat: 0 });
    return live.hinting;
  };
  socket().hear(position(1, []));
  expect(asked()).toBe(true);
  socket().hear(position(1, []));
  expect(live.hinting).toBe(true);
  socket().hear({ ...position(1, []), viewpoint: 1 });
  expect(live.hinting).toBe(false);
  expect(asked()).toBe(true);
  live.connectNow();
  expect(live.hinting).toBe(false);
});

describe("a hint for a whole turn", () => {
  const choice = (...moves: string[]) => ({ moves, data: moves.map((say) => ({ say })), win: 0.5, points: 9 });
  const HINT = {
    type: "hint",
    seat: 0,
    number: 1,
    choices: [choice("7", "K b3", "dig"), choice("7", "G c4"), choice("2")],
  };
  const played = (number: number, say: string, seat: number | null = 0) => ({ number, seat, say, undo: false });
  const shown = () => live.hint?.choices.map(({ moves }) => moves.join());

  beforeEach(() => {
    giveHints();
    socket().hear(position(1, []));
    live.ask({ type: "hint", seat: 0 });
    socket().hear(HINT);
  });

  test("stays with its next steps while they are played, without another request", () => {
    socket().hear(position(2, [played(1, "7")]));
    expect(shown()).toEqual(["K b3,dig", "G c4"]);
    expect(live.hint?.choices[0]?.data).toEqual([{ say: "K b3" }, { say: "dig" }]);
    socket().hear(position(3, [played(2, "K b3")]));
    expect(shown()).toEqual(["dig"]);
    socket().hear(position(4, [played(3, "dig")]));
    expect(live.hint).toBeNull();
    expect(socket().sent).toHaveLength(1);
  });

  test("is hidden where another move is played, and there again when that is taken back", () => {
    socket().hear(position(2, [played(1, "7")]));
    socket().hear(position(3, [played(2, "A a1")]));
    expect(live.hint).toBeNull();
    socket().hear(position(4, [{ ...played(3, ""), undo: true }]));
    expect(shown()).toEqual(["K b3,dig", "G c4"]);
    socket().hear(position(5, [{ ...played(4, ""), undo: true }]));
    expect(shown()).toHaveLength(3);
  });

  test("ends when somebody else moves, and where something was missed", () => {
    socket().hear(position(2, [played(1, "7", 1)]));
    expect(live.hint).toBeNull();
    live.ask({ type: "hint", seat: 0 });
    socket().hear({ ...HINT, number: 2 });
    expect(live.hint).not.toBeNull();
    socket().hear(position(4, [played(3, "7")]));
    expect(live.hint).toBeNull();
  });
});

test("a page without the engine asks for no hint, and says what that needs", () => {
  const seeing = new LiveTable("abc");
  const wire = socket();
  wire.hear(NEWS);
  wire.hear(position(1, []));
  seeing.ask({ type: "hint", seat: 0 });
  expect(wire.sent.some((message) => (message as { type: string }).type === "hint")).toBe(false);
  expect([seeing.refused, seeing.hinting]).toEqual([{ code: "no engine" }, false]);
  seeing.close();
});

test("who was given a hint is shown to the others", () => {
  socket().hear({ ...NEWS, mine: [0] });
  socket().hear({ type: "reacted", seat: 1, sign: "hint" });
  socket().hear({ type: "reacted", seat: 0, sign: "hint" });
  expect(live.signs).toEqual({ 1: "hint" });
});

test("a connection that is lost comes back by itself, for what was missed", async () => {
  socket().hear(NEWS);
  socket().hear(position(7, []));
  await socket().breakOff();
  expect(live.link).toBe("lost");
  expect(live.pause).toBeGreaterThan(0);
  await vi.advanceTimersByTimeAsync(3000);
  expect(FakeSocket.made).toHaveLength(2);
  expect(socket().address.searchParams.get("since")).toBe("7");
  socket().hear(NEWS);
  expect(live.link).toBe("open");
});

test("pauses grow from try to try, and stay below half a minute", async () => {
  socket().hear(NEWS);
  const pauses: number[] = [];
  for (let i = 0; i < 8; i++) {
    await socket().breakOff();
    pauses.push(live.pause);
    live.connectNow();
  }
  expect(pauses[0]).toBeLessThanOrEqual(2);
  expect(pauses.at(-1)).toBeGreaterThanOrEqual(15);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(25);
});

test.each([
  [403, "barred"],
  [403, "erased"],
  [404, "no table"],
  [410, "unreadable"],
])("a table that answers %i is not tried again", async (status, link) => {
  vi.mocked(fetch).mockResolvedValue(Response.json({ code: link, message: "" }, { status }));
  await socket().breakOff();
  expect(live.link).toBe(link);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(FakeSocket.made).toHaveLength(1);
});

test("what can't be sent is refused, never kept", async () => {
  socket().hear(NEWS);
  await socket().breakOff();
  live.ask({ type: "sheet" });
  expect(live.refused).toEqual({ code: "offline" });
  live.connectNow();
  expect(socket().sent).toEqual([]);
});

test("a connection that answers no heartbeat is shown as lost within three seconds, and is back with an answer", () => {
  socket().hear(NEWS);
  for (let i = 0; i < 20; i++) {
    vi.advanceTimersByTime(1000);
    socket().answer();
  }
  expect(socket().beats).toBeGreaterThanOrEqual(20);
  expect(live.link).toBe("open");
  vi.advanceTimersByTime(3000);
  expect(live.link).toBe("lost");
  live.ask({ type: "sheet" });
  expect(live.refused).toEqual({ code: "offline" });
  socket().answer();
  expect(live.link).toBe("open");
  expect(live.refused).toBeUndefined();
  expect(FakeSocket.made).toHaveLength(1);
  expect(socket().sent).toEqual([]);
});

test("a connection that stays silent is given up for another one", () => {
  socket().hear(NEWS);
  vi.advanceTimersByTime(12_000);
  expect(FakeSocket.made.length).toBeGreaterThan(1);
  expect(FakeSocket.made[0]?.readyState).toBe(3);
});

test("a browser that says it is offline is believed only if no answer comes", () => {
  socket().hear(NEWS);
  dispatchEvent(new Event("offline"));
  socket().answer();
  vi.advanceTimersByTime(1000);
  expect(live.link).toBe("open");
  socket().answer();
  dispatchEvent(new Event("offline"));
  vi.advanceTimersByTime(1000);
  expect(live.link).toBe("lost");
});

const MOVE = { type: "play", seat: 0, number: 7, move: "a1N" } as const;

test("a move is pending until there is an answer, and only one at a time", () => {
  socket().hear(position(7, []));
  live.ask(MOVE);
  live.ask({ ...MOVE, move: "b1N" });
  expect(socket().sent).toEqual([MOVE]);
  expect(live.pending).toEqual(MOVE);
  socket().hear({ type: "refused", code: "illegal", message: "" });
  expect(live.pending).toBeUndefined();
  live.ask(MOVE);
  socket().hear(position(8, []));
  expect(live.pending).toBeUndefined();
});

test("a pending move that was lost with its connection is sent again in its own position only", async () => {
  for (const [number, sent] of [
    [7, [MOVE]],
    [8, []],
  ] as const) {
    live.connectNow();
    socket().hear(position(7, []));
    live.ask(MOVE);
    await socket().breakOff();
    live.connectNow();
    expect(live.pending).toEqual(MOVE);
    socket().hear(position(number, []));
    socket().hear(position(number, []));
    expect(socket().sent).toEqual(sent);
    if (number === 7) socket().hear(position(8, []));
    expect(live.pending).toBeUndefined();
  }
});

test("a pending move that was lost with its connection and is not made is refused", async () => {
  const entry = { number: 7, seat: 0, say: "b1N", move: null, undo: false, ending: null };
  for (const [say, refused] of [
    ["b1N", { code: "stale" }],
    ["a1N", undefined],
  ] as const) {
    live.connectNow();
    socket().hear(position(7, []));
    live.ask(MOVE);
    await socket().breakOff();
    live.connectNow();
    socket().hear(position(8, [{ ...entry, say }]));
    expect(live.pending).toBeUndefined();
    expect(live.refused).toEqual(refused);
  }
});

test("a sign fades after some seconds", () => {
  socket().hear({ type: "reacted", seat: 1, sign: "hello" });
  expect(live.signs).toEqual({ 1: "hello" });
  vi.advanceTimersByTime(5000);
  expect(live.signs).toEqual({});
});

test("a page that has gone on no longer connects", async () => {
  socket().hear(NEWS);
  live.close();
  await socket().breakOff();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(FakeSocket.made).toHaveLength(1);
});

describe("a network that lets no live connection through", () => {
  test("is told from one that is away", async () => {
    await socket().breakOff();
    expect(live.blocked).toBe(false); // it may be chance
    live.connectNow();
    await socket().breakOff();
    expect(live.blocked).toBe(true);
    live.connectNow();
    socket().hear(NEWS);
    expect(live.blocked).toBe(false);
    await socket().breakOff();
    expect(live.blocked).toBe(false);
  });

  test("is not blamed while the server can't be reached at all", async () => {
    vi.stubGlobal("fetch", vi.fn().mockRejectedValue(new TypeError("no network")));
    for (let tries = 0; tries < 4; tries++) {
      await socket().breakOff();
      expect(live.blocked).toBe(false);
      live.connectNow();
    }
  });
});

test("a page that comes back as it was put away connects again, for the present position", () => {
  socket().hear(NEWS);
  socket().hear(position(3, []));
  const made = FakeSocket.made.length;
  dispatchEvent(Object.assign(new Event("pageshow"), { persisted: false }));
  expect(FakeSocket.made.length).toBe(made);
  dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  expect(FakeSocket.made.length).toBe(made + 1);
  expect(socket().address.searchParams.get("since")).toBe("3");
  live.close();
  dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  expect(FakeSocket.made.length).toBe(made + 1);
});

test.each(["resume", "visibilitychange"])("a connection that ended unnoticed is replaced at %s", (event) => {
  socket().hear(NEWS);
  socket().close(); // no event says so
  const made = FakeSocket.made.length;
  document.dispatchEvent(new Event(event));
  expect(FakeSocket.made.length).toBe(made + 1);
});
