import { beforeEach, expect, test, vi } from "vitest";
import { clicked, renew, show } from "./notices";

const WORDS = {
  en: {
    push_turn: "Turn",
    push_turns: "{n} turns",
    push_until: "{game} by {when}",
    push_invitation: "Invited",
    push_invitations: "{n} invitations",
    push_invited: "{game}: invited",
    push_stood_in: "Played",
    push_stood_ins: "{n} played",
    push_played: "{game}: played",
    push_reminder: "{game} soon, {when}",
    push_stop: "Stop",
  },
  de: { push_turn: "Zug", push_turns: "{n} Züge", push_until: "{game} bis {when}", push_stop: "Ende" },
};
const TABLE = { table: "abc", title: "Chess", deadline: null };

let shown: [string, Record<string, unknown>][];
let focused: string[];
let opened: string[];
let unsubscribed: number;

function scope(pages: string[] = []) {
  return {
    location: { href: "https://tables.example.org/games/worker.js" },
    registration: {
      showNotification: async (title: string, more: Record<string, unknown>) => void shown.push([title, more]),
      pushManager: { getSubscription: async () => ({ unsubscribe: async () => void (unsubscribed += 1) }) },
    },
    clients: {
      matchAll: async () => pages.map((url) => ({ url, focus: async () => void focused.push(url) })),
      openWindow: async (url: string) => void opened.push(url),
    },
  } as unknown as Parameters<typeof show>[0];
}

const message = (notice: object) => ({ json: () => notice }) as Parameters<typeof show>[1];

function press(action: string, data: string) {
  return { action, notification: { data, close: () => {} } } as unknown as Parameters<typeof clicked>[1];
}

beforeEach(() => {
  vi.stubGlobal("__WORDS__", WORDS);
  [shown, focused, opened, unsubscribed] = [[], [], [], 0];
});

test("a notice speaks the language of the page, or else that of the subscription", async () => {
  const notice = { language: "de", tables: [TABLE], total: 1 };
  await show(scope(), message(notice), Promise.resolve(undefined));
  await show(scope(), message(notice), Promise.resolve("en"));
  await show(scope(), message({ ...notice, language: "xx" }), Promise.resolve(undefined));
  expect(shown.map(([title, { body, data }]) => [title, body, data])).toEqual([
    ["Zug", "Chess", "table/abc"],
    ["Turn", "Chess", "table/abc"],
    ["Turn", "Chess", "table/abc"],
  ]);
});

test("several tables are one notice, which leads to the list of tables", async () => {
  const notice = { language: "en", tables: [TABLE, { ...TABLE, table: "def", deadline: 0 }], total: 3 };
  await show(scope(), message(notice), Promise.resolve(undefined));
  const [[title, more]] = shown as [[string, Record<string, unknown>]];
  expect([title, more["data"], more["tag"]]).toEqual(["3 turns", ".", "turn"]);
  expect(more["body"]).toMatch(/^Chess\nChess by .+\n…$/);
});

test("an invitation leads to the start page, where it is answered", async () => {
  const invited = { ...TABLE, table: "def", invited: true };
  await show(scope(), message({ language: "en", tables: [invited], total: 1, invited: 1 }), Promise.resolve(undefined));
  await show(scope(), message({ language: "en", tables: [invited], total: 2, invited: 2 }), Promise.resolve(undefined));
  const mixed = { language: "en", tables: [TABLE, invited], total: 2, invited: 1 };
  await show(scope(), message(mixed), Promise.resolve(undefined));
  expect(shown.map(([title, { body, data }]) => [title, body, data])).toEqual([
    ["Invited", "Chess", "."],
    ["2 invitations", "Chess\n…", "."],
    ["Turn", "Chess\nChess: invited", "."],
  ]);
});

test("that a bot has played leads to the table, and a reminder says until when", async () => {
  const played = { ...TABLE, kind: "stood in" };
  const soon = { ...TABLE, table: "def", kind: "reminder", deadline: 0 };
  await show(scope(), message({ language: "en", tables: [played], total: 1, stood_in: 1 }), Promise.resolve(undefined));
  const mixed = { language: "en", tables: [played, soon], total: 2, stood_in: 1 };
  await show(scope(), message(mixed), Promise.resolve(undefined));
  const invited = { language: "en", tables: [played, { ...TABLE, invited: true }], total: 3, invited: 1, stood_in: 2 };
  await show(scope(), message(invited), Promise.resolve(undefined));
  expect(shown.map(([title, { data }]) => [title, data])).toEqual([
    ["Played", "table/abc"],
    ["Turn", "."],
    ["2 played", "."],
  ]);
  expect(shown.map(([, { body }]) => body)).toEqual([
    "Chess",
    expect.stringMatching(/^Chess: played\nChess soon, .+$/),
    "Chess: played\nChess: invited\n…",
  ]);
});

test("a press goes to the table: to its page where that is open", async () => {
  await clicked(scope(["https://tables.example.org/games/table/abc#x"]), press("", "table/abc"));
  await clicked(scope(["https://tables.example.org/games/"]), press("", "table/abc"));
  expect([focused, opened]).toEqual([
    ["https://tables.example.org/games/table/abc#x"],
    ["https://tables.example.org/games/table/abc"],
  ]);
});

test("one press stops all notices, even while the server is away", async () => {
  const asked = vi.fn(async () => Promise.reject(new TypeError("no network")));
  vi.stubGlobal("fetch", asked);
  await clicked(scope(), press("stop", "table/abc"));
  expect(asked).toHaveBeenCalledWith("api/me/notices/unsubscribe", expect.objectContaining({ body: '{"all":true}' }));
  expect([unsubscribed, opened]).toEqual([1, []]);
});

test("a subscription that the push service has ended is made anew with the same key", async () => {
  const asked = vi.fn(async () => new Response(null, { status: 204 }));
  vi.stubGlobal("fetch", asked);
  const options = { applicationServerKey: "key", userVisibleOnly: true };
  const subscribe = vi.fn(async () => ({
    toJSON: () => ({ endpoint: "https://push.example.org/b", keys: { p256dh: "p", auth: "a" } }),
  }));
  const worker = { registration: { pushManager: { subscribe } }, navigator: { language: "de-AT" } };
  await renew(
    worker as unknown as Parameters<typeof renew>[0],
    { oldSubscription: { options }, newSubscription: null } as unknown as Parameters<typeof renew>[1],
    Promise.resolve(undefined),
  );
  expect(subscribe).toHaveBeenCalledWith(options);
  const [[address, { body }]] = asked.mock.calls as unknown as [[string, { body: string }]];
  expect(address).toBe("api/me/notices/subscribe");
  expect(JSON.parse(body)).toMatchObject({
    endpoint: "https://push.example.org/b",
    p256dh: "p",
    auth: "a",
    language: "de",
  });
});
