// Hints, and what decisions cost: as `lab/coach.py` finds them, by the kernels of `engine/judging.py`.

import type { Engine } from "./engine.ts";
import { EngineError } from "./errors.ts";
import { ofOptions } from "./facts.ts";
import type { Decision, Line } from "./protocol.ts";
import { pause } from "./search.ts";

const SEATS = 4;
/** Choices that are weighed at most; the rows with nothing hidden follow theirs. */
const LINES = 8;

/** Simulations between which other questions are answered. */
const SLICE = 200;

/** A decision as it was made. */
export interface Made {
  /** The index of its first move. */
  ply: number;
  /** Its actions. */
  actions: number[];
}

/** Finds the best choices in a state for the seat to move. Other questions may be answered between its steps. */
export class Judge {
  private readonly engine: Engine;
  private readonly state: Uint8Array;
  private simulations: number;
  private readonly learned: boolean;
  private readonly signal: AbortSignal;
  private rng: Uint8Array;
  /** How many candidates of the last search have exact values: all where the ending was solved, else none. */
  private solved = 0;

  /** Take a state, in which a seat is to move, and the simulations of a search and of each weighing. */
  constructor(engine: Engine, state: Uint8Array, simulations: number, signal: AbortSignal) {
    this.engine = engine;
    this.state = state;
    this.simulations = simulations;
    this.signal = signal;
    this.rng = engine.part("rng").slice();
    const { learned_hints = false } = this.step(() => ofOptions(engine.facts, engine.options));
    this.learned = learned_hints && this.step(() => engine.hasWeights("learned"));
  }

  /**
   * Return the best choices, the best first, given only what the seat knows; with `open` also how they go on where
   * nothing is hidden.
   */
  async hints(seed: string, count: number, open = false): Promise<Line[]> {
    this.step(() => (this.engine.seed(seed), this.engine.call("know_as", this.engine.seat)));
    const lines = await this.candidates(count);
    for (let line = 0; line < lines; line += 1) {
      await this.next();
      this.step(() => this.weigh(line));
      if (open) this.step(() => this.weigh(line, true));
    }
    return this.ranked(open);
  }

  /** Return what a decision cost, which was made in this state. */
  async decision({ ply, actions }: Made): Promise<Decision> {
    const { engine } = this;
    const { candidates, closer, reasons } = engine.facts.coach;
    this.step(() => (engine.seed(`coach/1/${ply}`), engine.call("know_all")));
    await this.candidates(candidates);
    const made = this.step(() => this.addLine(actions));
    await this.weighAll(`real/${ply}`, true);
    await this.weighAll(`worlds/${ply}`);
    let ranked = this.ranked();
    let loss = this.loss(made);
    if (!loss && this.order[0] !== made) {
      this.simulations *= closer;
      await this.weighAll(`worlds/${ply}`);
      ranked = this.ranked();
      loss = this.loss(made);
    }
    return this.step(() => {
      const reason = {
        kind: reasons[engine.call("reason", made)]!,
        points: engine.call("reason_in_tenths", made) / 10,
      };
      return {
        ply,
        seat: engine.seat,
        made: ranked[this.order.indexOf(made)]!,
        best: ranked.slice(0, candidates),
        loss: loss / 10_000,
        loss_points: engine.call("loss_in_hundredths", made) / 100,
        hindsight: engine.call("hindsight_in_tenthousandths", made) / 10_000,
        reason: loss ? reason : null,
      };
    });
  }

  /** Search, and list the lines of the best candidates; return how many. */
  private async candidates(count: number): Promise<number> {
    const { engine, simulations, learned } = this;
    const solved = this.step(() => {
      engine.reals("sharpness")[0] = ofOptions(engine.facts, engine.options).sharpness ?? 0;
      engine.searcher.set({ simulations, rounds: 0, learned });
      return engine.searcher.begin();
    });
    await this.next();
    for (let left = solved ? 0 : simulations; left > 0; left -= SLICE) {
      this.step(() => engine.searcher.simulate(Math.min(SLICE, left)));
      await this.next();
    }
    return this.step(() => {
      const rows = engine.call("rank", solved || engine.searcher.gather());
      this.solved = solved && rows;
      return engine.call("list_lines", rows, Number(solved > 0), count);
    });
  }

  private weigh(line: number, actual = false): void {
    const { engine, simulations, learned } = this;
    engine.searcher.set({ simulations, rounds: 0 });
    engine.call("weigh", line, Number(actual), simulations);
    if (!learned || actual) return;
    engine.searcher.set({ simulations, learned });
    engine.call("value_line", line, simulations);
  }

  /** Weigh every line from the same seed, so that its result does not depend on the others. */
  private async weighAll(seed: string, actual = false): Promise<void> {
    for (let line = 0; line < this.count; line += 1) {
      await this.next();
      this.step(() => (this.engine.seed(seed), this.weigh(line, actual)));
    }
  }

  private loss(made: number): number {
    return this.step(() => this.engine.call("loss_in_tenthousandths", made, this.simulations));
  }

  private addLine(actions: readonly number[]): number {
    const { buffer, byteOffset } = this.engine.part("plan");
    new BigInt64Array(buffer, byteOffset, actions.length).set(actions.map(BigInt));
    return this.engine.call("add_line", actions.length, this.solved);
  }

  private get count(): number {
    return this.engine.integers("line_count")[0]!;
  }

  /** The lines, the best first. */
  private get order(): number[] {
    return Array.from(this.engine.integers("choice_order").subarray(0, this.count));
  }

  private ranked(open = false): Line[] {
    return this.step(() => {
      this.engine.call("rank_choices");
      return this.order.map((line) => ({ ...this.line(line), ...(open && { open: this.chances(LINES + line) }) }));
    });
  }

  /** The chances and points of every seat in a row of the choices. */
  private chances(row: number): Pick<Line, "wins" | "points"> {
    const { engine } = this;
    const of = (name: string) => Array.from(engine.reals(name).subarray(SEATS * row, SEATS * row + engine.seats));
    return { wins: of("choice_wins"), points: of("choice_points") };
  }

  private line(line: number): Line {
    const { engine } = this;
    const { seat } = engine;
    const made = this.moves(line, seat);
    return {
      moves: made.map(({ say }) => say),
      data: made,
      ...this.chances(line),
      gain: engine.reals("choice_gain")[line]!,
      value: engine.reals("choice_value")[line]!,
    };
  }

  /** Return the moves of a line as data, with what the seat may know of them. */
  private moves(line: number, seat: number): { say: string }[] {
    const { engine } = this;
    const { buffer, byteOffset, byteLength } = engine.part("line_actions");
    const lengths = engine.integers("line_length");
    const width = byteLength / BigInt64Array.BYTES_PER_ELEMENT / lengths.length;
    const actions = new BigInt64Array(buffer, byteOffset).subarray(width * line, width * line + lengths[line]!);
    const made: { say: string }[] = [];
    engine.load(engine.part("known"));
    for (const action of actions) {
      const move = engine.call("index_of", Number(action));
      made.push(JSON.parse(engine.observed(move, seat, "full")) as { say: string });
      engine.make(move);
    }
    engine.load(this.state);
    return made;
  }

  /** Do something in the state that is judged, with its generator; leave the game as it is. */
  private step<Result>(work: () => Result): Result {
    const { engine } = this;
    return engine.aside(() => {
      engine.load(this.state);
      engine.part("rng").set(this.rng);
      try {
        return work();
      } finally {
        this.rng = engine.part("rng").slice();
      }
    });
  }

  /** Let other questions be answered. Raises EngineError where nobody waits for the answer any more. */
  private async next(): Promise<void> {
    await pause();
    if (this.signal.aborted) throw new EngineError("cancelled", "the search was cancelled");
  }
}
