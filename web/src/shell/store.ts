// What this browser keeps for the page: the only place that asks it to. It may refuse, have no room, or forget at once;
// what it does not keep is remembered until the page is closed.

/** How all names begin under which the page keeps something: a host may have other sites beside it. */
const OURS = /^bosquet[.-]/;

/** Texts by name, kept in one of the browser's two storages. */
export class Store {
  /** What the storage did not take; null for what it did not delete. */
  readonly #memory = new Map<string, string | null>();

  /** Take what gives the storage; it may throw. */
  constructor(private readonly storage: () => Storage | null | undefined) {}

  get(name: string): string | null {
    return this.#memory.has(name) ? this.#memory.get(name)! : (attempt(() => this.storage()?.getItem(name)) ?? null);
  }

  /** Keep a text; return whether it outlasts the page. */
  set(name: string, value: string): boolean {
    this.#memory.set(name, value);
    attempt(() => {
      this.storage()?.setItem(name, value);
      if (this.storage()?.getItem(name) === value) this.#memory.delete(name);
    });
    return !this.#memory.has(name);
  }

  remove(name: string): void {
    this.#memory.set(name, null);
    attempt(() => {
      this.storage()?.removeItem(name);
      if (this.storage()?.getItem(name) === null) this.#memory.delete(name);
    });
  }

  /** What is kept in JSON; undefined where there is nothing that can be read. */
  read(name: string): unknown {
    return parsed(this.get(name));
  }

  /** Delete all that the page has kept. */
  clear(): void {
    this.#memory.clear();
    attempt(() => {
      const storage = this.storage();
      const names = Array.from({ length: storage?.length ?? 0 }, (_, i) => storage?.key(i) ?? "");
      for (const name of names.filter((one) => OURS.test(one))) storage?.removeItem(name);
    });
  }
}

/** Kept from one visit to the next, and until the tab is closed. */
export const device = new Store(() => globalThis.localStorage);
export const tab = new Store(() => globalThis.sessionStorage);

const shelves: Shelf[] = [];

/** Longer texts by address. */
export class Shelf {
  readonly #memory = new Map<string, string>();

  constructor(private readonly name: string) {
    shelves.push(this);
  }

  async get(address: string): Promise<string | undefined> {
    if (this.#memory.has(address)) return this.#memory.get(address);
    return attemptLater(async () => (await (await caches.open(this.name)).match(address))?.text());
  }

  /** What is kept in JSON; undefined where there is nothing that can be read. */
  async read(address: string): Promise<unknown> {
    return parsed(await this.get(address));
  }

  async set(address: string, text: string): Promise<void> {
    this.#memory.set(address, text);
    await attemptLater(async () => {
      const cache = await caches.open(this.name);
      await cache.put(address, new Response(text));
      if (await cache.match(address)) this.#memory.delete(address);
    });
  }

  async remove(address: string): Promise<void> {
    this.#memory.delete(address);
    await attemptLater(async () => (await caches.open(this.name)).delete(address));
  }

  async addresses(): Promise<string[]> {
    const kept = await attemptLater(async () => (await (await caches.open(this.name)).keys()).map(({ url }) => url));
    const all = (kept ?? []).map((url) => new URL(url)).map(({ pathname, search }) => pathname + search);
    return [...new Set([...this.#memory.keys(), ...all])];
  }

  async clear(): Promise<void> {
    this.#memory.clear();
    await attemptLater(() => caches.delete(this.name));
  }
}

const DATABASE = "bosquet";
const KINDS = ["tables", "found"] as const;

/** An object that is kept, by what it is called. */
interface Named {
  id: string;
}

/** Objects by their ids, in the database of the browser; each kind of them has a store of its own. */
export class Objects {
  /** What the database did not take; null for what it did not delete. */
  readonly #memory = new Map<string, Named | null>();

  constructor(private readonly kind: (typeof KINDS)[number]) {}

  /** What is kept; undefined where there is nothing. */
  async read(id: string): Promise<unknown> {
    if (this.#memory.has(id)) return this.#memory.get(id) ?? undefined;
    return attemptLater(() => this.#ask("readonly", (store) => store.get(id)));
  }

  async all(): Promise<unknown[]> {
    const kept = await attemptLater(() => this.#ask<Named[]>("readonly", (store) => store.getAll()));
    const elsewhere = [...this.#memory.values()].filter((one) => one !== null);
    return [...(kept ?? []).filter(({ id }) => !this.#memory.has(id)), ...elsewhere];
  }

  /** Keep an object; return whether it outlasts the page. */
  async set(value: Named): Promise<boolean> {
    const copy = structuredClone(value);
    return this.#write(copy.id, copy, (store) => store.put(copy));
  }

  async remove(id: string): Promise<void> {
    await this.#write(id, null, (store) => store.delete(id));
  }

  async clear(): Promise<void> {
    this.#memory.clear();
    await attemptLater(() => this.#ask("readwrite", (store) => store.clear()));
  }

  /** Write, and remember what was written until that is done; return whether it is. */
  async #write<Answer>(
    id: string,
    value: Named | null,
    write: (store: IDBObjectStore) => IDBRequest<Answer>,
  ): Promise<boolean> {
    this.#memory.set(id, value);
    const done = await attemptLater(() => this.#ask("readwrite", write).then(() => true));
    if (done && this.#memory.get(id) === value) this.#memory.delete(id);
    return done === true;
  }

  /** Ask for something in a transaction; the answer comes when that is complete. */
  async #ask<Answer>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<Answer>): Promise<Answer> {
    const database = await opened();
    try {
      return await new Promise<Answer>((resolve, reject) => {
        const transaction = database.transaction(this.kind, mode);
        const asked = ask(transaction.objectStore(this.kind));
        transaction.oncomplete = () => resolve(asked.result);
        transaction.onabort = transaction.onerror = () => reject(transaction.error as Error);
        setTimeout(() => reject(new Error("it does not end")), PATIENCE); // as happens where a page was left meanwhile
      });
    } finally {
      database.close();
    }
  }
}

/** Tables that live in this page (`local/`). */
export const tables = new Objects("tables");
/** What the coach found in finished games (`pages/coach/savedAnalyses.svelte.ts`). */
export const found = new Objects("found");

/** Milliseconds after which a database that has not answered counts as missing, until it does: a busy device is slow. */
const PATIENCE = 3000;
let silent = false;

/** Open the database. Rejects where the browser has none, or does not answer. */
function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    if (silent) throw new Error("the database did not answer");
    const asked = indexedDB.open(DATABASE);
    let late = false;
    const waiting = setTimeout(() => {
      silent = late = true;
      reject(new Error("the database does not answer"));
    }, PATIENCE);
    asked.onupgradeneeded = () => KINDS.forEach((kind) => asked.result.createObjectStore(kind, { keyPath: "id" }));
    asked.onsuccess = () => {
      clearTimeout(waiting);
      silent = false;
      // What was asked for is done in memory by now: a write that comes late could replace a newer one.
      if (late) asked.result.close();
      else resolve(asked.result);
    };
    asked.onerror = asked.onblocked = () => {
      clearTimeout(waiting);
      reject(asked.error as Error);
    };
  });
}

/** Delete all shelves, the tables of this page, and what the service worker keeps. */
export async function clearShelves(): Promise<void> {
  await tables.clear();
  await found.clear();
  for (const shelf of shelves) await shelf.clear();
  const kept = (await attemptLater(() => caches.keys())) ?? [];
  for (const name of kept.filter((one) => OURS.test(one))) await attemptLater(() => caches.delete(name));
}

/** What a text says in JSON; undefined where that can't be read. */
export function parsed(text: string | null | undefined): unknown {
  return attempt(() => JSON.parse(text ?? "null") ?? undefined);
}

function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

async function attemptLater<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}
