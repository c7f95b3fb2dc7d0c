// Whether others in the local network can come. Only the browser of a host, on the machine of the server, may change it.

import { ApiError, localNetwork, openNetwork } from "../lib/api";
import type { Network } from "../lib/messages";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

export class LocalNetwork {
  /** Whether the page is of this machine itself: a link to it opens nowhere else. */
  readonly alone = LOOPBACK.includes(location.hostname);
  offered = $state(false);
  /** Where others find the page. */
  address = $state<string | null>(null);
  busy = $state(false);
  failed = $state(false);

  constructor() {
    if (this.alone) void this.#ask(localNetwork);
  }

  /** Let others in, or let them in no more. */
  async set(table: string, open: boolean): Promise<void> {
    this.busy = true;
    this.failed = !(await this.#ask(() => openNetwork(table, open)));
    this.busy = false;
  }

  async #ask(ask: () => Promise<Network>): Promise<boolean> {
    try {
      ({ offered: this.offered, address: this.address } = await ask());
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return false;
    }
  }
}
