// Whether others in the local network can come. Only a browser on the machine of the server may change it: at the table
// of a host it lets them in, anywhere it ends that.

import { ApiError, closeNetwork, localNetwork, openNetwork } from "./api";
import type { Network } from "./messages";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

export class LocalNetwork {
  /** Whether the page is of this machine itself: a link to it opens nowhere else. */
  readonly alone = LOOPBACK.includes(location.hostname);
  /** Whether it is known what is offered. */
  known = $state(false);
  offered = $state(false);
  /** Where others find the page. */
  address = $state<string | null>(null);
  busy = $state(false);
  failed = $state(false);

  constructor() {
    if (this.alone) void this.#ask(localNetwork).then(() => (this.known = true));
    else this.known = true;
  }

  /** Let others in, from a table of one's own. */
  open(table: string): Promise<void> {
    return this.#change(() => openNetwork(table));
  }

  /** Let them in no more. */
  close(): Promise<void> {
    return this.#change(closeNetwork);
  }

  async #change(ask: () => Promise<Network>): Promise<void> {
    this.busy = true;
    this.failed = !(await this.#ask(ask));
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
