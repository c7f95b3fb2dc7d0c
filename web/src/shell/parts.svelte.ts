// Parts of the page that are loaded when they are needed. One that can't be had, of the page or of its styles, is no longer
// at the server, which has a newer page, or the network is away: the reader is told, and nothing that is typed is lost. Those
// who say so themselves catch the error, and those who load ahead ignore it.

import { at } from "./base";

class Parts {
  /** Whether a part could not be loaded, and those who wait for it do not say so. */
  missing = $state(false);
  /** Whether the server has a newer page. */
  outdated = $state(false);

  /** Note that the server has newer engines, and a newer page with them. */
  renew(): void {
    this.outdated = true;
    // The list that a browser has kept names the old ones: the page must have the new one when it is loaded again.
    void fetch(at("/api/games"), { cache: "reload" }).catch(() => undefined);
  }

  constructor() {
    const failed = new WeakSet<object>();
    addEventListener("vite:preloadError", ({ payload }) => failed.add(payload));
    addEventListener("unhandledrejection", (event) => {
      if (typeof event.reason !== "object" || !event.reason || !failed.has(event.reason)) return;
      event.preventDefault();
      this.missing = true;
    });
  }
}

export const parts = new Parts();
