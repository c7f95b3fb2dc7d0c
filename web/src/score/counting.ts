// Where a game with the real box is counted: by the engine of its game, and by the server where there is none.

import { entryOf } from "../core/catalogue";
import { openEngine } from "../core/engines";
import type { Client } from "../engine/client";
import { score } from "../server/api";
import type { Counted, RealGame } from "../server/messages";

export class Counting {
  #engine: Promise<Client | undefined> | undefined;
  #closed = false;

  /** Count a game. Raises EngineError or ApiError, which names what cannot be so. */
  async count(real: RealGame): Promise<Counted> {
    const engine = await (this.#engine ??= this.#open(real.game));
    if (!engine) return score(real);
    // The types of what a game counts are those of the messages of a server.
    return (await engine.ask("count", { real })) as unknown as Counted;
  }

  close(): void {
    this.#closed = true;
    void this.#engine?.then((engine) => engine?.close());
  }

  /** Open the engine; undefined if the game has none that counts, or it can't be had here now. */
  async #open(game: string): Promise<Client | undefined> {
    if (!entryOf(game)?.engine) return undefined;
    const engine = await openEngine(game).catch(() => undefined);
    if (engine?.facts.real.properties && !this.#closed) return engine;
    engine?.close();
    if (!engine) this.#engine = undefined; // it is tried again
    return undefined;
  }
}
