// The engine of one game: calls of its module with their texts and numbers. It knows no layout of the memory, only where
// the module says that its parts lie. Kernels trust their input, so what comes from outside is checked before.

import { EngineError } from "./errors.ts";
import type { Calls, Module } from "./module.ts";
import { ASSISTANCE, type Assistance, type Candidate, type Found, type Settings, type Task } from "./protocol.ts";
import type { Position, Viewer } from "./protocol.ts";
import { readWeights, type Weights } from "./weights.ts";

/** The seat to move where a chance event is due, and where the game is over. */
export const CHANCE = -1;
export const NOBODY = -2;

const SPECTATOR = -1;
const NONE = -1;
const SEATS = 4;
/** How many cards can be looked ahead. */
const AHEAD = [0, 1, 2, 3];
/** What a search found, a row of each for every candidate. Another engine takes them in under these names. */
const ROWS = ["candidates", "visits", "values", "wins", "gains"] as const;
/** Settings by their names in the module. */
const SETTINGS = {
  exploration: "exploration",
  temperature: "temperature",
  scale: "scale",
  winWeight: "win_weight",
} as const;

export class Engine {
  readonly game: string;
  private readonly calls: Calls;
  private readonly memory: ArrayBuffer;
  private readonly decoder = new TextDecoder();
  private readonly encoder = new TextEncoder();
  /** For each use of weights, which games have those that were taken. */
  private readonly keys: Partial<Record<Weights["use"], number>> = {};
  /** Whether the search that was begun takes learned values. */
  private learned = false;

  constructor({ game, calls, memory }: Module) {
    this.game = game;
    this.calls = calls;
    this.memory = memory;
  }

  // --- State

  /** Go on at a packed state. Raises EngineError for bytes of another length. */
  load(state: Uint8Array): void {
    const table = this.part("table");
    if (state.length !== table.length) {
      throw new EngineError("argument", `a state of this game has ${table.length} bytes, not ${state.length}`);
    }
    table.set(state);
  }

  /** Return a copy of the packed state. */
  packed(): Uint8Array {
    return this.part("table").slice();
  }

  /** The seat to move, CHANCE or NOBODY. */
  get seat(): number {
    return this.call("seat_to_move");
  }

  /** The number of seats. */
  get seats(): number {
    return this.call("count_seats");
  }

  // --- Chance

  /** Seed the generator as `Rng(seed)` does in Python; parts of a seed are joined by `/`. */
  seed(seed: string): void {
    this.call("seed_by_text", this.write(seed));
  }

  /** Deal a game; the state holds options and box. Steps the generator. */
  deal(): void {
    this.call("deal");
  }

  /** Draw and apply the chance event that is due. Steps the generator. */
  drawChance(): void {
    this.call("make_chance");
  }

  // --- Moves, by their index among the legal ones

  make(move: number): void {
    this.call("make", move);
  }

  /** Whether a legal move reveals something, so that it may not be taken back. */
  isIrreversible(move: number): boolean {
    return this.call("is_irreversible", move) !== 0;
  }

  /** Return the notation of a legal move, as its seat knows it. */
  notation(move: number): string {
    const { say } = JSON.parse(this.observed(move, this.seat, "plain")) as { say: string };
    return say;
  }

  /** Return the notations of all legal moves. */
  notations(): string[] {
    return range(this.call("moves_of")).map((move) => this.notation(move));
  }

  /** Return the index of a legal move. Raises EngineError where it is not legal. */
  find(notation: string): number {
    const count = this.call("moves_of");
    for (let move = 0; move < count; move += 1) if (this.notation(move) === notation) return move;
    const reason = this.seat === NOBODY ? "the game is over; no move is legal" : "this is not legal now";
    throw new EngineError("move", `“${notation.slice(0, 80)}”: ${reason}`);
  }

  // --- Texts

  /** Return the view of a seat or of a spectator, as JSON. */
  view(viewer: Viewer, assistance: Assistance): string {
    return this.read(this.call("view", this.numberOf(viewer), ASSISTANCE[assistance]));
  }

  /** Return a legal move about to be made as a viewer may know it, as JSON. */
  observed(move: number, viewer: Viewer, assistance: Assistance): string {
    return this.read(this.call("observed", move, this.numberOf(viewer), ASSISTANCE[assistance]));
  }

  /** Return the entries of the score sheet that a legal move adds, or without a move those of the end, as JSON. */
  entries(move: number = NONE): string {
    return this.read(this.call("entries", move));
  }

  /** Return what follows the entries of the score sheet, as JSON. */
  totals(): string {
    return this.read(this.call("totals"));
  }

  // --- Positions

  /** Return the position of a text. Leaves the game as it is. Raises EngineError. */
  position(text: string): Position {
    const [game] = text.split("/", 1);
    if (game !== this.game) throw new EngineError("game", `the position is one of ${game}, not of ${this.game}`);
    const kept = this.packed();
    try {
      const length = this.call("read_position", this.write(text));
      if (length) throw new EngineError("position", this.read(length));
      const viewer = this.call("viewer_read");
      return { viewer: viewer === SPECTATOR ? null : viewer, state: this.packed() };
    } finally {
      this.load(kept);
    }
  }

  /** Return the text of what a viewer knows. */
  positionText(viewer: Viewer): string {
    this.concealed(viewer);
    return this.game + this.read(this.call("write_position", this.numberOf(viewer)));
  }

  // --- Bots

  /** Take the weights of learned values (`weights.ts`). Raises EngineError, and keeps those it has, for other bytes. */
  takeWeights(bytes: Uint8Array): void {
    const { use, key, arrays } = readWeights(bytes, this.game, (part) => this.size(part));
    for (const [name, array] of arrays) this.part(`${use}_${name}`).set(array);
    this.keys[use] = key;
  }

  /** Raises EngineError where the weights for a use are not there, or not those of the game in the memory. */
  private checkWeights(use: Weights["use"]): void {
    if (this.keys[use] === undefined || this.keys[use] !== this.call("weights_key")) {
      throw new EngineError("argument", "the engine has not taken the weights of learned values for this game");
    }
  }

  /** Return the move that the bot `greedy` makes. Steps the generator. */
  greedy(): number {
    return this.call("greedy");
  }

  /** Return the move that is best by looking ahead over so many of the cards to come. Raises EngineError. */
  lookAhead(cards: number): number {
    if (!AHEAD.includes(cards))
      throw new EngineError("argument", `cards to look ahead: ${AHEAD.join(", ")}, not ${cards}`);
    this.checkWeights("lookahead");
    return this.call("look_ahead", cards);
  }

  /** Return the move that the seat to move has planned or has to make, null if it has to search. */
  knownMove(): number | null {
    const move = this.call("known_move");
    return move === NONE ? null : move;
  }

  /** Forget what was planned, before another game. */
  forgetPlans(): void {
    this.call("forget_plans");
  }

  /** Return what a seat, or a spectator, knows of the state, as a packed state that looks the same to it. */
  concealed(viewer: Viewer): Uint8Array {
    const position = this.part("position").fill(0);
    this.call("conceal", this.numberOf(viewer));
    return position.slice();
  }

  /** Return what each of several engines searches for the seat to move. */
  tasks(engines: number): Task[] {
    const rng = this.part("rng").slice();
    const state = this.concealed(this.seat);
    return range(engines).map((engine) => ({ state, rng, engine, engines }));
  }

  /**
   * Begin to search a task; return how many candidates an ending has that was solved, otherwise 0. Leaves the game as
   * it is.
   */
  startSearch({ state, rng, engine, engines }: Task, settings: Settings): number {
    const kept = this.packed();
    this.load(state);
    try {
      this.part("rng").set(rng);
      this.learned = settings.learned ?? false;
      if (this.learned) this.checkLearned(settings);
      this.set(settings);
      return this.call(this.learned ? "start_learned_search" : "start_search", engine, engines);
    } finally {
      this.part("table").set(kept);
    }
  }

  /** Raises EngineError where a search of the state in the memory can't take learned values. */
  private checkLearned({ rounds, randomRollouts }: Settings): void {
    if (rounds || randomRollouts) throw new EngineError("argument", "a search with learned values has no rollouts");
    this.checkWeights("learned");
  }

  private set(settings: Settings): void {
    this.call(this.learned ? "read_learned_settings" : "read_settings");
    for (const [name, field] of Object.entries(SETTINGS)) {
      const value = settings[name as keyof typeof SETTINGS];
      if (value !== undefined) this.reals(field)[0] = value;
    }
    const { rounds, randomRollouts = false, candidateDropout = 0 } = settings;
    if (rounds !== undefined) this.integers("rounds")[0] = rounds;
    this.integers("random_rollouts")[0] = Number(randomRollouts);
    this.integers("candidate_dropout")[0] = Math.round(1000 * candidateDropout);
  }

  simulate(simulations: number): void {
    this.call(this.learned ? "run_learned_simulations" : "run_simulations", simulations);
  }

  /** Write what the simulations came to into the rows; return how many there are. */
  gather(): number {
    return this.call("gather");
  }

  /** Return how often each candidate was visited so far. */
  visits(): number[] {
    return Array.from(this.reals("visits").subarray(0, this.gather()));
  }

  /** Return the rows that `gather` or `startSearch` has written. */
  rows(count: number, simulations: number): Found {
    const parts = ROWS.map((name) => [name, this.part(name).slice(0, this.rowSize(name) * count)] as const);
    return { count, parts: Object.fromEntries(parts), simulations };
  }

  /** Put together what engines found for the state of the game; return the best move, which is planned, and all. */
  choose(found: readonly Found[]): { move: number; candidates: Candidate[] } {
    const solved = found.filter(({ simulations }) => simulations === 0).slice(0, 1);
    let count = 0;
    for (const { count: added, parts } of solved.length ? solved : found) {
      for (const name of ROWS) this.part(count ? `added_${name}` : name).set(parts[name]!);
      count = count ? this.call("add_results", count, added) : added;
    }
    const ranked = this.call("rank", count);
    const candidates = range(ranked).map((row) => this.candidate(row));
    return { move: this.call("choose", 0), candidates };
  }

  private candidate(row: number): Candidate {
    const visits = this.reals("visits")[row]!;
    return {
      visits,
      value: this.reals("values")[row]!,
      wins: this.reals("wins")[row]!,
      points: visits ? Array.from(this.reals("gains").subarray(SEATS * row, SEATS * row + this.seats)) : [],
    };
  }

  /** Return the number of a viewer. Raises EngineError where there is no such seat. */
  private numberOf(viewer: Viewer): number {
    if (viewer === null) return SPECTATOR;
    if (Number.isInteger(viewer) && viewer >= 0 && viewer < this.seats) return viewer;
    throw new EngineError("argument", `there is no seat ${viewer}`);
  }

  // --- Memory

  private call(name: string, ...numbers: number[]): number {
    const called = this.calls[name];
    if (!called) throw new EngineError("module", `the engine has no ${name}`);
    return called(...numbers);
  }

  private size(name: string): number {
    return this.call(`${name}_size`);
  }

  /** Bytes of one row of a part that has a row for each candidate. */
  private rowSize(name: (typeof ROWS)[number]): number {
    return (name === "gains" ? SEATS : 1) * Float64Array.BYTES_PER_ELEMENT;
  }

  private part(name: string): Uint8Array {
    return new Uint8Array(this.memory, this.call(`${name}_at`), this.size(name));
  }

  private integers(name: string): Int32Array {
    return new Int32Array(this.memory, this.call(`${name}_at`), this.size(name) / Int32Array.BYTES_PER_ELEMENT);
  }

  private reals(name: string): Float64Array {
    return new Float64Array(this.memory, this.call(`${name}_at`), this.size(name) / Float64Array.BYTES_PER_ELEMENT);
  }

  /** Write a text for a call to read; return its length. Raises EngineError where it has no room. */
  private write(text: string): number {
    const bytes = this.encoder.encode(text);
    const room = this.part("text_bytes");
    if (bytes.length > room.length) throw new EngineError("overflow", `a text of ${bytes.length} bytes has no room`);
    room.set(bytes);
    return bytes.length;
  }

  /** Return the text that a call has written. Raises EngineError where it had no room. */
  private read(length: number): string {
    const room = this.part("text_bytes");
    if (length > room.length) throw new EngineError("overflow", `a text of ${length} bytes has no room`);
    return this.decoder.decode(room.subarray(0, length));
  }
}

function range(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i);
}
