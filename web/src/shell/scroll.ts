// Where a page is scrolled to: on a low screen past its head, and on the way back to where it was left. The browser itself
// scrolls back at once, before a page that has to ask the server is as long as it was.

import { MediaQuery } from "svelte/reactivity";

/** A phone on its side: all of its height is for the board. */
const low = new MediaQuery("height < 30rem");

/**
 * Scroll to a place on a low screen, also when a phone is turned on its side: the head of the page is above it, and a
 * scroll away.
 */
export function headAbove(place: HTMLElement): (() => void) | undefined {
  if (!low.current) return;
  place.scrollIntoView();
  // A browser that has been turned scrolls to where it was before, within this frame.
  const frame = requestAnimationFrame(() => place.scrollIntoView());
  return () => cancelAnimationFrame(frame);
}

/** Scroll to what has come, where it is out of sight. */
export function intoSight(place: HTMLElement): void {
  place.scrollIntoView({ block: "nearest" });
}

/** Milliseconds that a page has to become as long again. */
const PATIENCE = 5000;
/** What people do who have begun to read elsewhere. */
const MOVED = ["wheel", "touchstart", "pointerdown", "keydown"];

let waiting: AbortController | undefined;

/** Note where the page is scrolled to, with its address. */
export function noteScroll(): void {
  history.replaceState({ ...(history.state as object | null), scrolled: scrollY }, "");
}

/** Scroll to where the page of this address was left, as soon as it is long enough. */
export function scrollBack(): void {
  waiting?.abort();
  const { scrolled = 0 } = (history.state ?? {}) as { scrolled?: number };
  if (!scrolled) return;
  waiting = new AbortController();
  const { signal } = waiting;
  const end = performance.now() + PATIENCE;
  const look = (): void => {
    if (signal.aborted || performance.now() > end) return;
    scrollTo(0, scrolled);
    if (Math.abs(scrollY - scrolled) > 1) requestAnimationFrame(look);
  };
  for (const moved of MOVED) addEventListener(moved, () => waiting?.abort(), { signal, once: true });
  requestAnimationFrame(look);
}
