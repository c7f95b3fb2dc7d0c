// The service worker from the page's side: it starts when the page is idle, so that a first visit does not wait for it.

import type { Keep } from "./keeping";
import { language } from "./words.svelte";

const ADDRESS = "/worker.js";
/** Milliseconds after which a busy page is idle enough. */
const LATEST = 10_000;

/** The script of this page; its name tells builds apart. */
export function build(): string {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  return script ? new URL(script.src).pathname : "";
}

/** Start the worker once the page is loaded. Where the reader saves data, it keeps what is loaded already, no more. */
export function startWorker(): void {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
  const idle = () =>
    "requestIdleCallback" in window
      ? requestIdleCallback(() => void register(), { timeout: LATEST })
      : setTimeout(() => void register(), 2000);
  if (document.readyState === "complete") idle();
  else addEventListener("load", idle, { once: true });
}

let forgotten = false;

async function register(): Promise<void> {
  if (forgotten) return;
  try {
    const registration = await navigator.serviceWorker.register(ADDRESS, { updateViaCache: "none" });
    for (const worker of [registration.active, registration.waiting]) if (worker) tell(worker);
    follow(registration.installing);
    registration.addEventListener("updatefound", () => follow(registration.installing));
  } catch {
    // A browser may allow none, and the server may be away: the page works without it.
  }
}

/** The worker, which push services reach. */
export async function workerReady(): Promise<ServiceWorkerRegistration> {
  forgotten = false;
  await register();
  return navigator.serviceWorker.ready;
}

/** Tell a new worker what to keep as soon as it is installed. */
function follow(worker: ServiceWorker | null): void {
  worker?.addEventListener("statechange", () => {
    if (worker.state === "installed") tell(worker);
  });
}

function tell(worker: ServiceWorker): void {
  const saves = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData;
  const message: Keep = { language: saves ? undefined : language(), entry: build() };
  worker.postMessage(message);
}

/** Whether the server has another build of the page by now. */
export async function isOutdated(): Promise<boolean> {
  try {
    const index = await fetch("/", { cache: "no-store" });
    return index.ok && build() !== "" && !(await index.text()).includes(build());
  } catch {
    return false;
  }
}

/** Delete all that this browser keeps beside its settings, for it belongs to nobody or somebody else from now on. */
export async function forgetKept(): Promise<void> {
  forgotten = true; // until the page is loaded again
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration?.unregister();
    for (const name of await caches.keys()) await caches.delete(name);
  } catch {
    // Without https a browser has neither.
  }
}
