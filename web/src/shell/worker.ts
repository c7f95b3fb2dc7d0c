// The service worker from the page's side: it starts when the page is idle, so that a first visit does not wait for it.

import { at } from "./base";
import { ENGINES, type Keep } from "./workerMessages";
import { savesData } from "./savesData";
import { clearShelves } from "./store";
import { language } from "./words.svelte";

const ADDRESS = "/worker.js";
/** Milliseconds after which a busy page is idle enough. */
const LATEST = 10_000;

/** The script of this page; its name tells builds apart. */
export function build(): string {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  return script ? new URL(script.src).pathname : "";
}

/** The workers of this browser; undefined where it has none, or allows none. */
function workers(): ServiceWorkerContainer | undefined {
  try {
    return navigator.serviceWorker;
  } catch {
    return undefined;
  }
}

export function hasWorkers(): boolean {
  return workers() !== undefined;
}

/** Start the worker once the page is loaded. Where the reader saves data, it keeps what is loaded already, no more. */
export function startWorker(): void {
  if (!hasWorkers() || import.meta.env.DEV) return;
  const idle = () =>
    "requestIdleCallback" in window
      ? requestIdleCallback(() => void register(), { timeout: LATEST })
      : setTimeout(() => void register(), 2000);
  if (document.readyState === "complete") idle();
  else addEventListener("load", idle, { once: true });
}

let forgotten = false;

/** Whether there is a worker now. A browser may allow none, and the server may be away: the page works without it. */
async function register(): Promise<boolean> {
  if (forgotten) return false;
  try {
    const registration = await workers()?.register(at(ADDRESS), { updateViaCache: "none" });
    if (!registration) return false;
    for (const worker of [registration.active, registration.waiting]) if (worker) tell(worker);
    follow(registration.installing);
    registration.addEventListener("updatefound", () => follow(registration.installing));
    return true;
  } catch {
    return false;
  }
}

/** The worker as it is registered; undefined where there is none. */
export async function workerHere(): Promise<ServiceWorkerRegistration | undefined> {
  try {
    return await workers()?.getRegistration();
  } catch {
    return undefined;
  }
}

/** The worker, which push services reach; undefined where the browser allows none. */
export async function workerReady(): Promise<ServiceWorkerRegistration | undefined> {
  forgotten = false;
  return (await register()) ? workers()?.ready : undefined;
}

/** Tell a new worker what to keep as soon as it is installed. */
function follow(worker: ServiceWorker | null): void {
  worker?.addEventListener("statechange", () => {
    if (worker.state === "installed") tell(worker);
  });
}

function tell(worker: ServiceWorker): void {
  const message: Keep = { language: savesData() ? undefined : language(), entry: build() };
  worker.postMessage(message);
}

/** Whether an engine and its weights, by their addresses, are kept for times without a network. */
export async function areKept(files: readonly string[]): Promise<boolean> {
  const cache = await caches.open(ENGINES);
  return (await Promise.all(files.map((file) => cache.match(file)))).every(Boolean);
}

/** Keep an engine and its weights, or keep them no more. Rejects where the network is away, or there is no room. */
export async function keepEngine(files: string[], kept: boolean): Promise<void> {
  const cache = await caches.open(ENGINES);
  await (kept ? cache.addAll(files) : Promise.all(files.map((file) => cache.delete(file))));
}

/** Whether the server has another build of the page by now. */
export async function isOutdated(): Promise<boolean> {
  try {
    const index = await fetch(at("/"), { cache: "no-store" });
    return index.ok && build() !== "" && !(await index.text()).includes(build());
  } catch {
    return false;
  }
}

/** Delete all that this browser keeps beside its settings, for it belongs to nobody or somebody else from now on. */
export async function forgetKept(): Promise<void> {
  forgotten = true; // until the page is loaded again
  await (await workerHere())?.unregister().catch(() => false);
  await clearShelves();
}
