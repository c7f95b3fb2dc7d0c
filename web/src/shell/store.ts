// What this browser keeps for the page: the only place that asks it to. It may refuse, have no room, or forget at once;
// what it does not keep is remembered until the page is closed.

/** Texts by name, kept in one of the browser's two storages. */
export class Store {
  /** What the storage did not take; null for what it did not delete. */
  readonly #memory = new Map<string, string | null>();

  /** Take what gives the storage; it may throw. */
  constructor(private readonly storage: () => Storage | null | undefined) {}

  get(name: string): string | null {
    return this.#memory.has(name) ? this.#memory.get(name)! : (attempt(() => this.storage()?.getItem(name)) ?? null);
  }

  set(name: string, value: string): void {
    this.#memory.set(name, value);
    attempt(() => {
      this.storage()?.setItem(name, value);
      if (this.storage()?.getItem(name) === value) this.#memory.delete(name);
    });
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

  clear(): void {
    this.#memory.clear();
    attempt(() => this.storage()?.clear());
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

/** Objects by name, in the database of the browser; each kind of them has a store of its own. */
export class Objects {
  readonly #memory = new Map<string, unknown>();

  constructor(private readonly kind: "tables") {}

  /** What is kept; undefined where there is nothing. */
  async read(name: string): Promise<unknown> {
    if (this.#memory.has(name)) return this.#memory.get(name);
    return attemptLater(() => this.#ask("readonly", (store) => store.get(name)));
  }

  /** Keep an object; return whether it outlasts the page. */
  async set(name: string, value: object): Promise<boolean> {
    const copy: unknown = structuredClone(value);
    this.#memory.set(name, copy);
    const key = await attemptLater(() => this.#ask("readwrite", (store) => store.put(copy, name)));
    if (key !== name) return false;
    if (this.#memory.get(name) === copy) this.#memory.delete(name);
    return true;
  }

  async clear(): Promise<void> {
    this.#memory.clear();
    await attemptLater(() => this.#ask("readwrite", (store) => store.clear()));
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
      });
    } finally {
      database.close();
    }
  }
}

/** Tables that live in this page (`local/`), by the name of their game. */
export const tables = new Objects("tables");

/** Open the database. Rejects where the browser has none, or does not answer. */
function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("tables");
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = asked.onblocked = () => reject(asked.error as Error);
  });
}

/** Delete all shelves, the tables of this page, and what the service worker keeps. */
export async function clearShelves(): Promise<void> {
  await tables.clear();
  for (const shelf of shelves) await shelf.clear();
  for (const name of (await attemptLater(() => caches.keys())) ?? []) await attemptLater(() => caches.delete(name));
}

function parsed(text: string | null | undefined): unknown {
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
