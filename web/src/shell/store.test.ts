import { afterEach, expect, test, vi } from "vitest";
import { clearShelves, Shelf, Store, tables } from "./store";

afterEach(() => vi.unstubAllGlobals());

const refuse = () => {
  throw new DOMException("Access is denied for this document.", "SecurityError");
};
/** A storage of which something is other than usual. */
function storage(more: Partial<Storage> = {}): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
    clear: () => kept.clear(),
    key: () => null,
    length: 0,
    ...more,
  };
}

test.each<[string, () => Storage | null | undefined]>([
  ["refused", refuse],
  ["null", () => null],
  ["missing", () => undefined],
  ["full", () => storage({ setItem: refuse })],
  ["forgetful", () => storage({ setItem: () => {} })],
  ["refused at each use", () => storage({ getItem: refuse, setItem: refuse, removeItem: refuse, clear: refuse })],
  ["another one each time", () => storage()],
])("where storage is %s, what is kept lasts until the page is closed", (_, found) => {
  const store = new Store(found);
  expect(store.get("a")).toBeNull();
  expect(store.set("a", "1")).toBe(false);
  expect(store.get("a")).toBe("1");
  store.set("a", "2");
  expect(store.get("a")).toBe("2");
  store.remove("a");
  expect(store.get("a")).toBeNull();
  store.set("a", "3");
  store.clear();
  expect(store.get("a")).toBeNull();
});

test("what is full still holds what it held, and an older value does not come back", () => {
  const full = storage();
  full.setItem("a", "old");
  full.setItem = refuse;
  const store = new Store(() => full);
  expect(store.get("a")).toBe("old");
  store.set("a", "new");
  expect(store.get("a")).toBe("new");
  full.removeItem = refuse;
  store.remove("a");
  expect(store.get("a")).toBeNull();
});

test("what the storage keeps comes from there, also after another tab has changed it", () => {
  const kept = storage();
  const store = new Store(() => kept);
  expect(store.set("a", "1")).toBe(true);
  kept.setItem("a", "2");
  expect(store.get("a")).toBe("2");
});

test("what other sites of the host keep stays", async () => {
  localStorage.setItem("theirs", "1");
  const store = new Store(() => localStorage);
  for (const name of ["bosquet.a", "bosquet.b", "bosquet.c"]) store.set(name, "1");
  store.clear();
  expect([localStorage.length, localStorage.getItem("theirs")]).toEqual([1, "1"]);
  const remove = vi.fn(() => Promise.resolve(true));
  const keys = () => Promise.resolve(["theirs", "bosquet-engines", "bosquet-page /assets/a.js"]);
  vi.stubGlobal("caches", { keys, delete: remove });
  await clearShelves();
  expect(remove.mock.calls).toEqual([["bosquet-engines"], ["bosquet-page /assets/a.js"]]);
});

test.each([[""], ["null"], ["{"], ["undefined"]])("%j is no JSON to be used", (text) => {
  const store = new Store(() => null);
  expect(store.read("a")).toBeUndefined();
  store.set("a", text);
  expect(store.read("a")).toBeUndefined();
});

test.each([
  ["missing", undefined],
  ["refused", { open: () => Promise.reject(new Error("no")), keys: refuse, delete: refuse }],
  ["full", { open: () => Promise.resolve({ match: () => Promise.resolve(), put: refuse }) }],
])("where caches are %s, a shelf lasts until the page is closed", async (_, caches) => {
  vi.stubGlobal("caches", caches);
  const shelf = new Shelf("s");
  expect(await shelf.get("/a")).toBeUndefined();
  await shelf.set("/a?b", '{"c": 1}');
  expect(await shelf.read("/a?b")).toEqual({ c: 1 });
  expect(await shelf.addresses()).toEqual(["/a?b"]);
  await shelf.remove("/a?b");
  expect(await shelf.get("/a?b")).toBeUndefined();
  await shelf.set("/a", "no JSON");
  expect(await shelf.read("/a")).toBeUndefined();
  await shelf.clear();
  expect(await shelf.addresses()).toEqual([]);
});

test("a database that does not answer counts as missing until it does", async () => {
  vi.useFakeTimers();
  const asked: { onsuccess?: () => void; result: { close: () => void; transaction: () => object } }[] = [];
  const put = vi.fn();
  const transaction = (): object => {
    const begun = { objectStore: () => ({ put }) };
    setTimeout(() => (begun as { oncomplete?: () => void }).oncomplete?.());
    return begun;
  };
  const open = vi.fn(() => (asked.push({ result: { close: vi.fn(), transaction } }), asked.at(-1)));
  put.mockReturnValue({});
  vi.stubGlobal("indexedDB", { open });
  const read = tables.read("one");
  await vi.runAllTimersAsync();
  expect(await read).toBeUndefined();
  expect(await tables.set({ id: "one" })).toBe(false);
  expect(open).toHaveBeenCalledOnce();
  asked[0]!.onsuccess!();
  expect(asked[0]!.result.close).toHaveBeenCalled();
  expect(await tables.read("one")).toEqual({ id: "one" }); // what was kept meanwhile is newer
  const set = tables.set({ id: "one" });
  asked[1]!.onsuccess!();
  await vi.runAllTimersAsync();
  expect(await set).toBe(true);
  expect(put).toHaveBeenCalledWith({ id: "one" });
  vi.useRealTimers();
});

test("of a transaction that does not end, what was to be written is kept in memory", async () => {
  vi.useFakeTimers();
  const begun = { objectStore: () => ({ put: () => ({}) }) };
  const asked: { onsuccess?: () => void; result: object } = { result: { close: vi.fn(), transaction: () => begun } };
  vi.stubGlobal("indexedDB", { open: () => (queueMicrotask(() => asked.onsuccess!()), asked) });
  const set = tables.set({ id: "two" });
  await vi.runAllTimersAsync();
  expect(await set).toBe(false);
  expect(await tables.read("two")).toEqual({ id: "two" });
  vi.useRealTimers();
});
