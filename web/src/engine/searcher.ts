// The search of an engine: its settings, its simulations, and what they came to.

import { EngineError } from "./errors.ts";
import type { Candidate, Found, Task } from "./protocol.ts";
import type { Settings } from "./settings.ts";
import type { Weights } from "./weights.ts";

const SEATS = 4;
/** What a search found, a row of each for every candidate. Another engine takes them in under these names. */
const ROWS = ["candidates", "visits", "values", "wins", "gains"] as const;
/** Settings by their names in the module. */
const SETTINGS = {
  exploration: "exploration",
  temperature: "temperature",
  scale: "scale",
  winWeight: "win_weight",
} as const;

/** What a search asks of the engine that has the game in its memory. */
interface Searched {
  readonly seats: number;
  aside<T>(work: () => T): T;
  load(state: Uint8Array): void;
  part(name: string): Uint8Array;
  reals(name: string): Float64Array;
  integers(name: string): Int32Array;
  call(name: string, ...given: number[]): number;
  checkWeights(use: Weights["use"]): void;
}

/** Searches the game in the memory of an engine. */
export class Searcher {
  private readonly engine: Searched;
  /** Whether the search that was begun takes learned values. */
  private learned = false;

  constructor(engine: Searched) {
    this.engine = engine;
  }

  /**
   * Begin to search a task; return how many candidates an ending has that was solved, otherwise 0. Leaves the game as
   * it is.
   */
  start({ state, rng, engine, engines }: Task, settings: Settings): number {
    return this.engine.aside(() => {
      this.engine.load(state);
      this.engine.part("rng").set(rng);
      this.set(settings);
      return this.begin(engine, engines);
    });
  }

  /** Raises EngineError where a search of the state in the memory can't take learned values. */
  private checkLearned({ rounds, randomRollouts }: Settings): void {
    if (rounds || randomRollouts) throw new EngineError("argument", "a search with learned values has no rollouts");
    this.engine.checkWeights("learned");
  }

  /** Write the settings of a search. Raises EngineError for those of rollouts with learned values. */
  set(settings: Settings): void {
    this.learned = settings.learned ?? false;
    if (this.learned) this.checkLearned(settings);
    this.engine.call(this.learned ? "read_learned_settings" : "read_settings");
    for (const [name, field] of Object.entries(SETTINGS)) {
      const value = settings[name as keyof typeof SETTINGS];
      if (value !== undefined) this.engine.reals(field)[0] = value;
    }
    const { rounds, randomRollouts = false, candidateDropout = 0 } = settings;
    if (rounds !== undefined) this.engine.integers("rounds")[0] = rounds;
    this.engine.integers("random_rollouts")[0] = Number(randomRollouts);
    this.engine.integers("candidate_dropout")[0] = Math.round(1000 * candidateDropout);
  }

  /** Begin the search of the game in the memory with settings that are there; see `start`. */
  begin(engine = 0, engines = 1): number {
    return this.engine.call(this.learned ? "start_learned_search" : "start_search", engine, engines);
  }

  simulate(simulations: number): void {
    this.engine.call(this.learned ? "run_learned_simulations" : "run_simulations", simulations);
  }

  /** Write what the simulations came to into the rows; return how many there are. */
  gather(): number {
    return this.engine.call("gather");
  }

  /** Return how often each candidate was visited so far. */
  visits(): number[] {
    return Array.from(this.engine.reals("visits").subarray(0, this.gather()));
  }

  /** Return the rows that `gather` or `start` has written. */
  rows(count: number, simulations: number): Found {
    const parts = ROWS.map((name) => [name, this.engine.part(name).slice(0, this.rowSize(name) * count)] as const);
    return { count, parts: Object.fromEntries(parts), simulations };
  }

  /** Put together what engines found for the state of the game; return the best move, which is planned, and all. */
  choose(found: readonly Found[]): { move: number; candidates: Candidate[] } {
    const solved = found.filter(({ simulations }) => simulations === 0).slice(0, 1);
    let count = 0;
    for (const { count: added, parts } of solved.length ? solved : found) {
      for (const name of ROWS) this.engine.part(count ? `added_${name}` : name).set(parts[name]!);
      count = count ? this.engine.call("add_results", count, added) : added;
    }
    const ranked = this.engine.call("rank", count);
    const candidates = range(ranked).map((row) => this.candidate(row));
    return { move: this.engine.call("choose", 0), candidates };
  }

  private candidate(row: number): Candidate {
    const visits = this.engine.reals("visits")[row]!;
    return {
      visits,
      value: this.engine.reals("values")[row]!,
      wins: this.engine.reals("wins")[row]!,
      points: visits
        ? Array.from(this.engine.reals("gains").subarray(SEATS * row, SEATS * row + this.engine.seats))
        : [],
    };
  }

  /** Bytes of one row of a part that has a row for each candidate. */
  private rowSize(name: (typeof ROWS)[number]): number {
    return (name === "gains" ? SEATS : 1) * Float64Array.BYTES_PER_ELEMENT;
  }
}

function range(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i);
}
