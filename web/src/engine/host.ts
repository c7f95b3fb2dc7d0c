// The worker's end of an engine: it answers questions in their order. A search is made in slices, so that questions
// which are asked meanwhile are answered, and a search that nobody waits for any more ends.

import { boxFindings, houseBox, normalizedBox } from "./dealing.ts";
import { Engine } from "./engine.ts";
import { asEngineError, EngineError } from "./errors.ts";
import { verify } from "./fair.ts";
import { Game } from "./game.ts";
import { fetchModule } from "./module.ts";
import type { Answer, Question, Questions, Request, Task } from "./protocol.ts";
import { countReal } from "./real.ts";
import { readRecord } from "./records.ts";
import { run } from "./search.ts";
import { fetchWeights, type ListedWeights, type Weights } from "./weights.ts";

/** Simulations that have the search compiled. */
const WARMING = 4;

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
  private listed: readonly ListedWeights[] = [];

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
      const { reason, message, ply, why } = asEngineError(error);
      this.send({ id, error: { reason, message, ...(ply !== undefined && { ply }), ...(why && { why }) } });
    } finally {
      this.running.delete(id);
    }
  }

  private readonly answers: Answers = {
    load: async ({ address, game, weights = [] }) => {
      this.loaded = new Engine(await fetchModule(address, game));
      this.listed = weights;
      this.playing = undefined;
      return this.loaded.facts;
    },
    weights: ({ content }) =>
      this.afterSearches(() => {
        this.engine.takeWeights(content);
        return null;
      }),
    commitment: ({ secret }) => this.engine.commitment(secret),
    box: ({ options, box }) => normalizedBox(this.engine, options, box),
    houseBox: () => houseBox(this.engine),
    inspectBox: ({ content }) => boxFindings(this.engine, content),
    deal: ({ moves = [], ...deal }) => {
      this.playing = undefined; // also where this fails: its state is overwritten
      const game = Game.dealt(this.engine, deal);
      for (const move of moves) game.play(move);
      return (this.playing = game).turn;
    },
    resume: ({ state, seed, moves, unknownTo }) => {
      this.playing = undefined;
      const drawn = unknownTo === undefined ? state : this.engine.drawn(state, unknownTo, `${seed}/unknown`);
      const game = new Game(this.engine, drawn, { seed });
      for (const move of moves) game.play(move);
      return (this.playing = game).turn;
    },
    read: ({ record, seed }) => {
      this.playing = undefined;
      return (this.playing = readRecord(this.engine, record, seed)).turn;
    },
    verify: ({ record }) => (verify(this.engine, record), null),
    record: () => this.game.record(),
    count: ({ real }) => countReal(this.engine, real),
    readPosition: ({ text }) => this.engine.readPosition(text),
    play: ({ move }) => this.game.play(move),
    undo: () => this.game.undo(),
    end: (ending) => this.game.end(ending),
    legal: () => this.game.legal(),
    attempts: () => this.game.attempts(),
    boardView: ({ viewer, assistance }) => this.game.boardView(viewer, assistance),
    viewOf: ({ position, assistance }) => this.engine.viewOf(position, assistance),
    reachable: ({ card, position }) => this.afterSearches(() => this.engine.reachable(card, position)),
    view: ({ viewer, assistance }) => this.game.view(viewer, assistance),
    observed: ({ move, viewer, assistance }) => this.game.observed(move, viewer, assistance),
    sheet: () => this.game.sheet(),
    frames: ({ viewpoint }) => this.game.frames(viewpoint),
    revealed: () => this.game.revealed(),
    continues: () => this.game.continues,
    position: ({ viewer }) => this.game.position(viewer),
    prepare: async ({ bots }) => {
      for (const use of this.game.usesOf(bots)) await this.supply(use);
      return null;
    },
    decision: async ({ bot }) => {
      for (const use of this.game.usesOf([bot])) await this.supply(use);
      return this.game.decision(bot);
    },
    random: ({ seed }) => this.game.random(seed),
    greedy: ({ seed }) => this.game.greedy(seed),
    ahead: ({ cards }) => this.afterSearches(() => this.game.ahead(cards)),
    hints: async ({ simulations, open }, signal) => {
      for (const use of this.game.usesOfHints) await this.supply(use);
      return this.afterSearches(() => this.game.hints({ simulations, open }, signal));
    },
    warmUp: (_, signal) =>
      this.afterSearches(async () => {
        await this.game.hints({ simulations: WARMING }, signal);
        return null;
      }),
    decisions: () => this.game.decisions.length,
    weigh: async ({ decision, simulations }, signal) => {
      for (const use of this.game.usesOfHints) await this.supply(use);
      return this.afterSearches(() => this.game.weigh(decision, simulations, signal));
    },
    luck: ({ game }) => this.afterSearches(() => this.game.luck(game)),
    known: () => this.afterSearches(() => this.game.known()),
    tasks: ({ seed, engines }) => this.game.tasks(seed, engines),
    search: async ({ task, settings }, signal) => {
      if (settings.learned) await this.supply("learned", task);
      return this.afterSearches(() => run(this.engine, task, settings, signal));
    },
    choose: ({ found }) => this.afterSearches(() => this.game.choose(found)),
  };

  /**
   * Fetch and take the weights for a use in the game that is played, or of which a task is, unless they are there. Where
   * they can't be had, or are not those that are listed, the engine goes on without them.
   */
  private async supply(use: Weights["use"], task?: Task): Promise<void> {
    const { engine } = this;
    if (!this.listed.length) return;
    const key = engine.aside(() => {
      if (task) engine.load(task.state);
      return engine.hasWeights(use) ? undefined : engine.weightsKey;
    });
    const wanted = this.listed.find((one) => one.use === use && one.key === key);
    if (!wanted) return;
    const content = await fetchWeights(wanted, (bytes) => engine.sha256(bytes)).catch(() => undefined);
    if (content) await this.afterSearches(() => engine.takeWeights(content));
  }

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
