// The score sheet of a game with the real box, counted anew whenever what was entered changes; `realGameScorer.ts` asks
// the engine, in which `engine/real.ts` counts. While it can't be counted, the last sheet stays and `problem` says why.

import type { EngineError } from "../engine/errors";
import type { Counted, RealGame } from "../client/messages";
import { saveFile } from "../ui/saveFile";
import { RealGameScorer } from "./realGameScorer";

const PAUSE = 120;

export class LiveSheet {
  counted = $state.raw<Counted>();
  problem = $state.raw<EngineError>();
  #asked = 0;
  #scorer = new RealGameScorer();

  /** To be made while a component is set up. */
  constructor(private real: () => RealGame) {
    $effect(() => {
      const game = $state.snapshot(real()) as RealGame;
      const timer = setTimeout(() => this.#ask(game), PAUSE);
      return () => clearTimeout(timer);
    });
    $effect(() => () => this.#scorer.close());
  }

  again(): void {
    void this.#ask($state.snapshot(this.real()) as RealGame);
  }

  /** Save what was counted last as a file, which `bosquet score` reads. */
  save(names: string[]): void {
    const real = $state.snapshot(this.real()) as RealGame;
    saveFile(new Blob([JSON.stringify({ real, names })], { type: "application/json" }), `${real.game}.json`);
  }

  async #ask(game: RealGame): Promise<void> {
    const asked = ++this.#asked;
    try {
      const counted = await this.#scorer.count(game);
      if (asked !== this.#asked) return;
      this.counted = counted;
      this.problem = undefined;
    } catch (error) {
      if (asked === this.#asked) this.problem = error as EngineError;
    }
  }
}
