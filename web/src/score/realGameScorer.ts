// Asks the engine of a game to count one that was played with the real box: `engine/real.ts` does that, whenever
// `liveSheet.svelte.ts` asks.

import { openEngine } from "../core/engines";
import type { Client } from "../engine/client";
import type { Counted, RealGame } from "../client/messages";

export class RealGameScorer {
  #engine: Promise<Client> | undefined;

  /** Count a game. Raises EngineError, which names what cannot be so. */
  async count(real: RealGame): Promise<Counted> {
    const engine = await (this.#engine ??= this.#open(real.game));
    // The types of what a game counts are those of the messages of a server.
    return (await engine.ask("count", { real })) as unknown as Counted;
  }

  close(): void {
    void this.#engine?.then((engine) => engine.close()).catch(() => {});
  }

  /** Open the engine; one that can't be had now is asked for again. Raises EngineError. */
  async #open(game: string): Promise<Client> {
    try {
      return await openEngine(game);
    } catch (error) {
      this.#engine = undefined;
      throw error;
    }
  }
}
