// The service worker: keeps the files of the page for times without a network. It answers for nothing else: whatever
// belongs to a guest or a table goes to the server, and no answer to it is kept.
//
// A page is always asked for at the server first, so nobody sees an old one while there is a network. What is kept
// belongs to one build: index.html and its files, each with a hash of its content in its name. A worker of another build
// waits until no page of the one before is open.

import { isCacheable } from "./cacheable";
import type { Build } from "./build";
import { ENGINES, GAMES, KEPT, type Keep } from "../shell/workerMessages";
import { clicked, renew, show } from "./notices";

declare const self: ServiceWorkerGlobalScope;
declare const __BUILD__: Build;

/** The folder of the host that the page lies in, where other things may lie beside it. */
const BASE = new URL(self.registration.scope).pathname;
const BUILD = __BUILD__;
const ENTRY = at(BUILD.entry);
const CACHES = `bosquet-page ${at("/assets/")}`;
const CACHE = `bosquet-page ${ENTRY}`;
const INDEX = BASE;
const API = at("/api/");
const CATALOGUE = at("/api/games");
/** Holds the language whose words are kept. */
const LANGUAGE = at("/language");
/** An engine, weights of it, or some of the puzzles: the name of them all, and the hash of their content. */
const ENGINE = /^engines\/([\w.]+)-(\w+)[\w.]*\.(?:wasm|weights|jsonl)$/;
const FILES = new Set([...BUILD.shell, ...BUILD.more, ...Object.values(BUILD.words).flat()].map(at));
const AT_ONCE = 4;
/** With these statuses a proxy says that the server does not answer. */
const AWAY = [502, 503, 504];

/** The address at the host of one within the page. */
function at(address: string): string {
  return BASE + address.slice(1);
}

self.addEventListener("install", (event) => event.waitUntil(install()));

self.addEventListener("activate", (event) => event.waitUntil(activate()));

self.addEventListener("message", (event) => {
  const { language, entry } = event.data as Keep;
  const page = (event.source as Client | null)?.id;
  event.waitUntil(Promise.all([replaceOlder(entry, page), language === undefined ? undefined : keepFor(language)]));
});

self.addEventListener("push", (event) => event.waitUntil(show(self, event.data, readersLanguage())));

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(self, event, readersLanguage())));

self.addEventListener("notificationclick", (event) => event.waitUntil(clicked(self, event)));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  // What the browser itself has kept of the catalogue would hide that the server is away.
  if (pathname === CATALOGUE) event.respondWith(serverFirst(new Request(request, { cache: "no-cache" }), CATALOGUE));
  else if (pathname.startsWith(API)) return;
  else if (request.mode === "navigate") event.respondWith(serverFirst(request, INDEX));
  else if (FILES.has(pathname)) event.respondWith(keptFirst(request));
  else if (named(pathname)) event.respondWith(engine(request, pathname));
});

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  const index = await fetched(INDEX);
  const page = await index.clone().text();
  if (!page.includes(ENTRY)) throw new Error("the server has another build");
  await cache.put(INDEX, index);
  if (!page.includes(`id="${GAMES}"`)) await cache.put(CATALOGUE, await fetched(CATALOGUE));
  await keep(cache, BUILD.shell);
  // Who had all pages without a network has them in the new build, too.
  const language = await readersLanguage();
  if (language !== undefined) await keepFor(language).catch(() => {});
}

async function activate(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith(CACHES) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** Take the place of an older worker where the only open page is of this build. The page before may just be closing. */
async function replaceOlder(entry: string, page: string | undefined): Promise<void> {
  for (let tries = 0; tries < 10 && entry === ENTRY && self.registration.waiting; tries++) {
    const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    if (open.every(({ id }) => id === page)) return self.skipWaiting();
    await new Promise((done) => setTimeout(done, 500));
  }
}

/** The language of the reader, where all pages are kept. */
async function readersLanguage(): Promise<string | undefined> {
  return (await caches.match(LANGUAGE).catch(() => undefined))?.text();
}

let keeping = Promise.resolve();

/** Keep all pages, with the words of one language. */
function keepFor(language: string): Promise<void> {
  const words = BUILD.words[language];
  if (!words) return keeping;
  keeping = keeping
    .catch(() => {})
    .then(async () => {
      if (!(await caches.has(CACHE))) return; // a visitor who erased everything does not want it back
      const cache = await caches.open(CACHE);
      await keep(cache, [...BUILD.more, ...words]);
      await cache.put(LANGUAGE, new Response(language));
    });
  return keeping;
}

/** Keep files, few at a time; those of an older build that have not changed are not fetched again. */
async function keep(cache: Cache, files: string[]): Promise<void> {
  const due = files.map(at);
  const work = async () => {
    for (let file = due.pop(); file !== undefined; file = due.pop()) {
      if (!(await cache.match(file))) await cache.put(file, (await caches.match(file)) ?? (await fetched(file)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** A file of the page, asked for as nobody: the answer brings no cookie. */
async function fetched(file: string): Promise<Response> {
  const answer = await fetch(file, {
    credentials: "omit",
    cache: file.startsWith(at("/assets/")) ? "default" : "no-cache",
  });
  if (!isCacheable(answer, file === INDEX)) throw new Error(`${file}: ${answer.status}`);
  return answer;
}

/** The server's answer; without a network, what is kept in its place. */
async function serverFirst(request: Request, place: string): Promise<Response> {
  let answer: Response | undefined;
  try {
    answer = await fetch(request);
    if (!AWAY.includes(answer.status)) return answer;
  } catch {
    // There is no network.
  }
  const kept = await caches.match(place, { cacheName: CACHE, ignoreVary: true }).catch(() => undefined);
  if (!kept) return answer ?? Response.error();
  const headers = new Headers(kept.headers);
  headers.set(KEPT, "1");
  return new Response(kept.body, { status: 200, headers });
}

async function keptFirst(request: Request): Promise<Response> {
  const kept = await caches.match(request, { cacheName: CACHE, ignoreVary: true }).catch(() => undefined);
  return kept ?? fetch(request);
}

/** The engine of a game, weights of it, or puzzles, which are kept from now on in the place of earlier ones. */
async function engine(request: Request, address: string): Promise<Response> {
  const cache = await caches.open(ENGINES).catch(() => undefined);
  const kept = await cache?.match(address).catch(() => undefined);
  if (kept) return kept;
  const answer = await fetch(request);
  if (cache && answer.ok) await renewEngine(cache, address, answer.clone()).catch(() => {});
  return answer;
}

/** What is at an address, as `ENGINE` has it. */
function named(address: string): readonly string[] | null {
  return address.startsWith(BASE) ? ENGINE.exec(address.slice(BASE.length)) : null;
}

async function renewEngine(cache: Cache, address: string, answer: Response): Promise<void> {
  const [, name, hash] = named(address) ?? [];
  for (const { url } of await cache.keys()) {
    const [, other, version] = named(new URL(url).pathname) ?? [];
    if (other === name && version !== hash) await cache.delete(url);
  }
  await cache.put(address, answer);
}
