// Where a page was scrolled to when it was left, for the way back to it. The browser itself scrolls back at once, before a
// page that has to ask the server is as long as it was.

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
