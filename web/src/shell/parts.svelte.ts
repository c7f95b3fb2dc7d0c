// Parts of the page that are loaded when they are needed. One that can't be had, of the page or of its styles, is no longer
// at the server, which has a newer page, or the network is away: the reader is told, and nothing that is typed is lost.

class Parts {
  /** Whether a part could not be loaded. */
  missing = $state(false);
  readonly #failed = new WeakSet<object>();

  constructor() {
    addEventListener("vite:preloadError", ({ payload }) => {
      this.#failed.add(payload);
      this.missing = true;
    });
    // Those who wait for the part need not say so, too.
    addEventListener("unhandledrejection", (event) => {
      if (typeof event.reason === "object" && event.reason && this.#failed.has(event.reason)) event.preventDefault();
    });
  }
}

export const parts = new Parts();
