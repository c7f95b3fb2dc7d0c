// The worker's end of an engine: it answers questions in their order. A search is made in slices, so that questions
// which are asked meanwhile are answered, and a search that nobody waits for any more ends.

import { Engine } from "./engine.ts";
import { EngineError, engineError } from "./errors.ts";
import { Game } from "./game.ts";
import { fetchModule } from "./module.ts";
import type { Answer, Question, Questions, Request } from "./protocol.ts";
import { readRecord } from "./records.ts";
import { run } from "./search.ts";

type Answers = {
  [Name in Question]: (
    ask: Questions[Name]["ask"],
    signal: AbortSignal,
  ) => Questions[Name]["answer"] | Promise<Questions[Name]["answer"]>;
};

export class Host {
  private readonly send: (answer: Answer) => void;
  private readonly running = new Map<number, AbortController>();
  /** Settled when no search runs: the memory of a search is there once. */
  private searched: Promise<unknown> = Promise.resolve();
  private loaded: Engine | undefined;
  private playing: Game | undefined;

  constructor(send: (answer: Answer) => void) {
    this.send = send;
  }

  /** Take a message of the page, and answer it. Never rejects. */
  async hear(request: Request): Promise<void> {
    if ("cancel" in request) {
      this.running.get(request.cancel)?.abort();
      return;
    }
    const { id, name, ask } = request;
    const stop = new AbortController();
    this.running.set(id, stop);
    try {
      const answer = await (this.answers[name] as Answers["search"])(ask as never, stop.signal);
      this.send({ id, answer });
    } catch (error) {
      const { reason, message, ply } = engineError(error);
      this.send({ id, error: { reason, message, ...(ply !== undefined && { ply }) } });
    } finally {
      this.running.delete(id);
    }
  }

  private readonly answers: Answers = {
    load: async ({ address, game }) => {
      this.loaded = new Engine(await fetchModule(address, game));
      this.playing = undefined;
      return this.loaded.facts;
    },
    weights: ({ content }) =>
      this.afterSearches(() => {
        this.engine.takeWeights(content);
        return null;
      }),
    commitment: ({ secret }) => this.engine.commitment(secret),
    deal: ({ moves = [], ...deal }) => {
      this.playing = undefined; // also where this fails: its state is overwritten
      const game = Game.dealt(this.engine, deal);
      for (const move of moves) game.play(move);
      return (this.playing = game).turn;
    },
    resume: ({ state, seed, moves }) => {
      this.playing = undefined;
      const game = new Game(this.engine, state, { seed });
      for (const move of moves) game.play(move);
      return (this.playing = game).turn;
    },
    read: ({ record }) => {
      this.playing = undefined;
      return (this.playing = readRecord(this.engine, record)).turn;
    },
    record: () => this.game.record(),
    play: ({ move }) => this.game.play(move),
    undo: () => this.game.undo(),
    end: (ending) => this.game.end(ending),
    legal: () => this.game.legal(),
    view: ({ viewer, assistance }) => this.game.view(viewer, assistance),
    observed: ({ move, viewer, assistance }) => this.game.observed(move, viewer, assistance),
    sheet: () => this.game.sheet(),
    position: ({ viewer }) => this.game.position(viewer),
    decision: ({ bot }) => this.game.decision(bot),
    random: ({ seed }) => this.game.random(seed),
    greedy: ({ seed }) => this.game.greedy(seed),
    ahead: ({ cards }) => this.afterSearches(() => this.game.ahead(cards)),
    hints: ({ simulations }, signal) => this.afterSearches(() => this.game.hints(simulations, signal)),
    decisions: () => this.game.decisions.length,
    weigh: ({ decision, simulations }, signal) =>
      this.afterSearches(() => this.game.weigh(decision, simulations, signal)),
    luck: ({ game }) => this.afterSearches(() => this.game.luck(game)),
    known: () => this.afterSearches(() => this.game.known()),
    tasks: ({ seed, engines }) => this.game.tasks(seed, engines),
    search: ({ task, settings }, signal) => this.afterSearches(() => run(this.engine, task, settings, signal)),
    choose: ({ found }) => this.afterSearches(() => this.game.choose(found)),
  };

  /** Do what needs the memory of a search, which is there once. */
  private afterSearches<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const done = this.searched.then(work);
    this.searched = done.catch(() => undefined);
    return done;
  }

  private get engine(): Engine {
    if (!this.loaded) throw new EngineError("argument", "no engine is loaded");
    return this.loaded;
  }

  private get game(): Game {
    if (!this.playing) throw new EngineError("argument", "no game is dealt");
    return this.playing;
  }
}
