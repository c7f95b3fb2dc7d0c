// Work that can wait until the page has nothing else to do.

/** Call something when the page is idle, at the latest after `latest` milliseconds if given; return what calls it off. */
export function whenIdle(then: () => void, latest?: number): () => void {
  // Not every browser says when it is idle.
  if (!("requestIdleCallback" in window)) {
    const waiting = setTimeout(then, Math.min(latest ?? 500, 500));
    return () => clearTimeout(waiting);
  }
  const waiting = requestIdleCallback(then, latest === undefined ? {} : { timeout: latest });
  return () => cancelIdleCallback(waiting);
}
