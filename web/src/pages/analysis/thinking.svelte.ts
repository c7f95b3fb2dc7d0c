// What the engine finds for a position while it is looked at: in a worker of its own, with more simulations each time.

import { openEngine } from "../../core/engines";
import type { Client } from "../../engine/client";
import { EngineError } from "../../engine/errors";
import type { Hint, Turn } from "../../engine/protocol";
import { device } from "../../shell/store";

const FIRST = 100;
/** After a round that took longer no other one is begun. */
const LONGEST_MS = 2000;
const STORED = "bosquet.analysis.engine";

/** The order of choices as their numbers are shown: of chances that look equal the one with more points comes first. */
function byShown(one: Hint, other: Hint): number {
  const [chance, others] = [one, other].map(({ win }) => Math.round(100 * (win ?? 0))) as [number, number];
  return others - chance || other.points - one.points;
}

export class Thinking {
  on = $state(device.get(STORED) !== "off");
  found = $state.raw<Hint[]>([]);
  /** How many simulations of each choice have led to what was found, and to what is being computed; 0 for none. */
  done = $state(0);
  running = $state(0);
  failed = $state(false);
  /** What was found last; it is shown once nobody points at what is shown. */
  #latest: Hint[] = [];
  #held = false;
  #client: Promise<Client> | undefined;
  #stop = new AbortController();
  /** Positions are taken up one after the other. */
  #taken: Promise<unknown> = Promise.resolve();

  constructor(private readonly game: string) {}

  switch(on: boolean): void {
    this.on = on;
    device.set(STORED, on ? "on" : "off");
    if (!on) this.stop();
  }

  /** Think about the position that an engine takes up; `open` also says how it goes on with nothing hidden. */
  async think(take: (client: Client) => Promise<Turn>, open: boolean): Promise<void> {
    this.stop();
    const { signal } = this.#stop;
    this.running = FIRST;
    try {
      this.#client ??= openEngine(this.game);
      const client = await this.#client;
      const taken = this.#taken.then(() => (signal.aborted ? undefined : take(client)));
      this.#taken = taken.catch(() => undefined);
      const turn = await taken;
      if (signal.aborted || !turn || turn.seat === null) return;
      for (let simulations = FIRST; ; simulations *= 2) {
        this.running = simulations;
        const begin = performance.now();
        const found = await client.ask("hints", { simulations, open }, signal);
        if (signal.aborted) return;
        this.#latest = found.toSorted(byShown);
        if (!this.#held) this.found = this.#latest;
        this.done = simulations;
        if (performance.now() - begin > LONGEST_MS) return;
      }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      if (signal.aborted) return;
      this.failed = true;
    } finally {
      if (!signal.aborted) this.running = 0;
    }
  }

  /** Keep what is shown while somebody points at it, who may press. */
  hold(on: boolean): void {
    this.#held = on;
    if (!on) this.found = this.#latest;
  }

  /** End what is thought, and forget it. */
  stop(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.found = this.#latest = [];
    this.#held = false;
    this.done = this.running = 0;
    this.failed = false;
  }

  close(): void {
    this.stop();
    void this.#client?.then((client) => client.close()).catch(() => undefined);
  }
}
