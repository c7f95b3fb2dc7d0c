// When to ask the server again after it could not be reached.

const PAUSE = 15_000;

/**
 * Call `again` when the network is back, when the page is looked at again, and every quarter of a minute while it is looked
 * at. Returns what ends that.
 */
export function whenBack(again: () => void): () => void {
  const look = () => document.hidden || again();
  const timer = setInterval(look, PAUSE);
  addEventListener("online", look);
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    removeEventListener("online", look);
    document.removeEventListener("visibilitychange", look);
  };
}
