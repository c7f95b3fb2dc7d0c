// The same deal, played by bots: as `lab/luck.py` has it.

import { CHANCE, type Engine, NOBODY } from "./engine.ts";
import { EngineError } from "./errors.ts";
import { playerOf } from "./facts.ts";
import type { Spread } from "./protocol.ts";

const POINTS = 0;
const WINS = 1;
const BEATEN = 2;

export class Luck {
  private readonly engine: Engine;
  private readonly start: Uint8Array;
  private readonly scores: number[];
  private readonly points: number[][];
  private games = 0;

  /** Take the state that was dealt, and the scores of the game that was played. */
  constructor(engine: Engine, start: Uint8Array, scores: number[]) {
    this.engine = engine;
    this.start = start;
    this.scores = scores;
    this.points = scores.map(() => []);
    engine.call("forget_luck");
  }

  /** Let bots play the next game; return how they fared so far. Leaves the game as it is. */
  play(): Spread[] {
    const { engine } = this;
    try {
      return engine.aside(() => {
        this.finish();
        this.games += 1;
        return this.scores.map((yours, seat) => {
          this.points[seat]!.push(engine.call("add_luck", seat, yours));
          return this.spread(seat, yours);
        });
      });
    } finally {
      engine.forgetPlans();
    }
  }

  private spread(seat: number, yours: number): Spread {
    const mean = (count: number) => this.engine.call("luck_of", seat, count, this.games);
    return {
      seat,
      points: this.points[seat]!.sort((a, b) => a - b).slice(),
      mean: mean(POINTS) / 100,
      won: mean(WINS) / 10_000,
      yours,
      beaten: mean(BEATEN) / 10_000,
    };
  }

  /** Play the deal to its end. */
  private finish(): void {
    const { engine } = this;
    engine.load(this.start);
    engine.forgetPlans();
    const generators = new Map([CHANCE, ...this.scores.keys()].map((seat) => [seat, this.generator(seat)]));
    while (engine.seat !== NOBODY) {
      const { seat } = engine;
      engine.part("rng").set(generators.get(seat)!);
      if (seat === CHANCE) engine.drawChance();
      else engine.make(this.choose());
      generators.set(seat, engine.part("rng").slice());
    }
  }

  private generator(seat: number): Uint8Array {
    this.engine.seed(seat === CHANCE ? `luck/1/${this.games}` : `luck/1/${this.games}/${seat}`);
    return this.engine.part("rng").slice();
  }

  /** Return the move of the bot for the seat to move. Steps the generator. */
  private choose(): number {
    const { engine } = this;
    const player = playerOf(engine.facts, engine.options, engine.facts.luck.bot, () => false);
    if (player === "random") return engine.random();
    if (player === "greedy") return engine.greedy();
    if ("cards" in player) throw new EngineError("argument", "the bot that plays again does not look ahead");
    const known = engine.knownMove();
    if (known !== null) return known;
    const { simulations } = player.settings;
    const { searcher } = engine;
    searcher.set(player.settings);
    const solved = searcher.begin();
    if (!solved) searcher.simulate(simulations);
    return searcher.choose([searcher.rows(solved || searcher.gather(), solved ? 0 : simulations)]).move;
  }
}
