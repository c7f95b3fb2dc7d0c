// The engine of one game: what its module is asked for, by the names of the rules. `moduleCalls.ts` writes and reads the
// module's memory. Kernels trust their input, so what comes from outside is checked before.

import { EngineError, type Why } from "./errors.ts";
import { checkOptions } from "./options.ts";
import { type Facts, type Options, sentenceOf } from "./facts.ts";
import type { Module } from "./module.ts";
import { ModuleCalls } from "./moduleCalls.ts";
import { ASSISTANCE, type Assistance, type Task } from "./protocol.ts";
import type { Position, Viewer } from "./protocol.ts";
import { listed, quoted } from "./quoting.ts";
import { Searcher } from "./searcher.ts";
import { readWeights, type Weights } from "./weights.ts";

/** The seat to move where a chance event is due, and where the game is over. */
export const CHANCE = -1;
export const NOBODY = -2;

const SPECTATOR = -1;
const NONE = -1;
/** How many cards can be looked ahead. */
const AHEAD = [0, 1, 2, 3];
/** The types of fields by their codes. */
const ARRAYS = { i1: Int8Array, u1: Uint8Array, i2: Int16Array, i4: Int32Array } as const;

export class Engine extends ModuleCalls {
  readonly game: string;
  readonly facts: Facts;
  /** Searches the game in the memory. */
  readonly searcher: Searcher = new Searcher(this);
  /** For each use of weights, which games have those that were taken. */
  private readonly keys: Partial<Record<Weights["use"], number>> = {};

  constructor({ game, facts, calls, memory }: Module) {
    super(calls, memory);
    this.game = game;
    this.facts = facts;
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

  /** Make the state a new one with these options, ready for the deal; return all options. Raises EngineError. */
  prepare(given: Readonly<Record<string, unknown>>): Options {
    const options = checkOptions(this.facts, given);
    this.call("new_game");
    for (const [option, [name, values]] of Object.entries(this.facts.options).entries()) {
      this.call("set_option", option, values.indexOf(options[name]!));
    }
    return options;
  }

  /** Set a field of the state; `code` is its type. */
  setField(name: string, code: string, numbers: readonly number[]): void {
    const { byteOffset, byteLength } = this.part(`table_${name}`);
    const Type = ARRAYS[code as keyof typeof ARRAYS];
    new Type(this.memory, byteOffset, byteLength / Type.BYTES_PER_ELEMENT).set(numbers);
  }

  /** Return a field of the state; `code` is its type. */
  getField(name: string, code: string): number[] {
    const { byteOffset, byteLength } = this.part(`table_${name}`);
    const Type = ARRAYS[code as keyof typeof ARRAYS];
    return [...new Type(this.memory, byteOffset, byteLength / Type.BYTES_PER_ELEMENT)];
  }

  /** Begin the game from the fields that its deal has set. */
  beginGame(): void {
    this.call("begin_game");
  }

  /** Return the deal of a state that has just been dealt, as JSON. */
  dealText(): string {
    return this.read(this.call("deal_text"));
  }

  /** Return the notation of the chance event that has just been made. */
  chanceText(): string {
    return JSON.parse(this.read(this.call("chance_made"))) as string;
  }

  /** Make the chance event of a notation. Raises EngineError. */
  takeChance(notation: unknown): void {
    if (typeof notation === "string" && this.call("take_chance", this.write(notation))) return;
    throw new EngineError("move", `${quoted(notation)}: ${this.read(this.call("due_text"))}`);
  }

  /** Return a copy of the packed state. */
  packed(): Uint8Array {
    return this.part("table").slice();
  }

  /** Do something with other states; leave the one that is held as it is. */
  aside<Result>(work: () => Result): Result {
    const kept = this.packed();
    try {
      return work();
    } finally {
      this.load(kept);
    }
  }

  /** The seat to move, CHANCE or NOBODY. */
  get seat(): number {
    return this.call("seat_to_move");
  }

  /** The number of seats. */
  get seats(): number {
    return this.call("count_seats");
  }

  /** The options of the game. */
  get options(): Options {
    return (JSON.parse(this.view(null, "none")) as { options: Options }).options;
  }

  /** The points that each seat has now. */
  get scores(): number[] {
    return range(this.seats).map((seat) => this.call("points_of", seat));
  }

  /** The winners by the rules of a game that is over. */
  get winners(): number[] {
    const mask = this.call("winning_seats");
    return range(this.seats).filter((seat) => (mask >> seat) & 1);
  }

  /** End the game before its end by the rules. */
  endEarly(): void {
    this.call("end_early");
  }

  // --- Chance

  /** Seed the generator as `Rng(seed)` does in Python; parts of a seed are joined by `/`. */
  seed(seed: string): void {
    this.call("seed_by_text", this.write(seed));
  }

  /** Return the commitment to a secret, in hexadecimal digits. */
  commitment(secret: string): string {
    return this.read(this.call("commitment", this.write(secret)));
  }

  /** Return the SHA-256 of bytes, in hexadecimal digits. Raises EngineError where they have no room. */
  sha256(content: Uint8Array): string {
    return this.read(this.call("sha256", this.put(content)));
  }

  /** Return the seed of a deal: of the dealer's secret and the nonce of each seat, null for none. */
  dealSeed(secret: string, nonces: readonly (string | null)[]): string {
    return this.read(this.call("deal_seed", this.write([secret, ...nonces.map((nonce) => nonce ?? "-")].join("/"))));
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
  find(notation: unknown): number {
    const shown = quoted(notation);
    if (this.seat === NOBODY) throw new EngineError("move", `${shown}: the game is over; no move is legal`);
    const found = typeof notation === "string" ? this.foundMove(notation) : undefined;
    if (typeof found === "number") return found;
    const reason =
      typeof notation === "string"
        ? `: ${(found && sentenceOf(this.facts, found)) ?? "not legal now"}`
        : " is no move; a move must be text";
    throw new EngineError("move", `${shown}${reason}; legal: ${listed(this.notations())}`, { why: found });
  }

  /** Return the index of a legal move; of another text why it is none, where the game says so. */
  private foundMove(notation: string): number | Why | undefined {
    if (this.has("find_move")) {
      const found = this.call("find_move", this.fill(notation));
      return found < 0 ? (JSON.parse(this.read(-found)) as Why) : found;
    }
    const count = this.call("moves_of");
    for (let move = 0; move < count; move += 1) if (this.notation(move) === notation) return move;
    return undefined;
  }

  /** Return all that the seat to move can try, legal or not, as its seat may know it; each is a move as JSON. */
  attempts(): string[] {
    if (!this.has("count_attempts")) return [];
    return range(this.call("count_attempts")).map((number) => this.read(this.call("attempt", number)));
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

  /**
   * Return what comes of a real game with these options and entries (`real.ts`), as JSON. Leaves the game as it is. Raises
   * EngineError.
   */
  countReal(options: Readonly<Record<string, unknown>>, entries: readonly number[]): string {
    return this.aside(() => {
      this.prepare(options);
      this.integers("given").fill(0).set(entries);
      return this.read(this.call("count_given"));
    });
  }

  /** Return what lies face down on the table by cell, as JSON; null in a game that has no such things. */
  revealed(): string {
    return this.has("revealed") ? this.read(this.call("revealed")) : "null";
  }

  /** Return the position of a text. Leaves the game as it is. Raises EngineError. */
  readPosition(text: string): Position {
    const [game] = text.split("/", 1);
    if (game !== this.game) throw new EngineError("game", `the position is one of ${game}, not of ${this.game}`);
    return this.aside(() => {
      const length = this.call("read_position", this.write(text));
      if (length) throw new EngineError("position", this.read(length));
      const viewer = this.call("viewer_read");
      return { viewer: viewer === SPECTATOR ? null : viewer, state: this.packed() };
    });
  }

  /** Return a view as a board takes it: where legal moves are not shown, its moves are all that the viewer can try. */
  boardView(viewer: Viewer, assistance: Assistance): string {
    const view = this.view(viewer, assistance);
    if (assistance !== "none" || viewer === null || viewer !== this.seat) return view;
    const moves = this.attempts().map((move) => JSON.parse(move) as unknown);
    return JSON.stringify({ ...(JSON.parse(view) as object), moves });
  }

  /** Return the same view of the viewer of a position, which is given as text. Leaves the game as it is. Raises EngineError. */
  viewOf(text: string, assistance: Assistance): string {
    const { viewer, state } = this.readPosition(text);
    return this.aside(() => {
      this.load(state);
      return this.boardView(viewer, assistance);
    });
  }

  /**
   * Return what the seat to move can reach with a card, as JSON; of a position, which is given as text, that of its viewer.
   * Leaves the game as it is. Raises EngineError where that can't be asked now.
   */
  reachable(card: number, position?: string): string {
    if (position !== undefined) {
      const { viewer, state } = this.readPosition(position);
      return this.aside(() => {
        this.load(state);
        return this.reachable(viewer === this.seat ? card : NONE);
      });
    }
    const length = this.has("reachable") && Number.isInteger(card) ? this.call("reachable", card) : 0;
    if (!length) throw new EngineError("argument", "what can be reached can't be asked of this card now");
    return this.read(length);
  }

  /** Return what a viewer knows of the state, as text. */
  position(viewer: Viewer): string {
    this.part("position").fill(0);
    return this.read(this.call("position_text", this.write(this.game), this.numberOf(viewer)));
  }

  /** Return a text that tells all that the seat to move knows: its view, where a game has no texts of positions. */
  knowledge(): string {
    return this.has("position_text") ? this.position(this.seat) : this.view(this.seat, "none");
  }

  // --- Bots

  /** Take the weights of learned values (`weights.ts`). Raises EngineError, and keeps those it has, for other bytes. */
  takeWeights(bytes: Uint8Array): void {
    const { use, key, arrays } = readWeights(bytes, this.game, (part) => this.size(part));
    for (const [name, array] of arrays) this.part(`${use}_${name}`).set(array);
    this.keys[use] = key;
  }

  /** Whether the weights for a use are there, and those of the game in the memory. */
  hasWeights(use: Weights["use"]): boolean {
    return this.keys[use] !== undefined && this.keys[use] === this.weightsKey;
  }

  /** Which weights the game in the memory takes, in a game that has learned values. */
  get weightsKey(): number {
    return this.call("weights_key");
  }

  /** Raises EngineError where they are not. */
  checkWeights(use: Weights["use"]): void {
    if (!this.hasWeights(use)) {
      throw new EngineError("argument", "the engine has not taken the weights of learned values for this game");
    }
  }

  /** Return the move that the bot `random` makes. Steps the generator. */
  random(): number {
    return this.call("random_move");
  }

  /** Return the move that the bot `greedy` makes. Steps the generator. */
  greedy(): number {
    return this.has("pick") ? this.mostPoints() : this.call("greedy");
  }

  /** Return one of the moves with the most points at once: `MostPoints` of `bots/greedy.py`. */
  private mostPoints(): number {
    const moves = range(this.call("moves_of"));
    const seen = moves.map((move) => JSON.parse(this.observed(move, this.seat, "full")) as { points?: number | null });
    const points = seen.map((move) => move.points ?? 0);
    const best = moves.filter((move) => points[move] === Math.max(...points));
    return best[this.call("pick", best.length)]!;
  }

  /** Return the move that is best by looking ahead over `cards` of the cards to come. Raises EngineError. */
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
    if (!this.has("conceal")) return this.packed(); // an engine draws what is hidden in any case
    const position = this.part("position").fill(0);
    this.call("conceal", this.numberOf(viewer));
    return position.slice();
  }

  /** Return a state in which what a viewer does not know is drawn from the seed. Leaves the game as it is. */
  drawn(state: Uint8Array, viewer: Viewer, seed: string): Uint8Array {
    return this.aside(() => {
      this.load(state);
      this.seed(seed);
      this.call("know_as", this.numberOf(viewer));
      return this.part("known").slice();
    });
  }

  /** Return what each of several engines searches for the seat to move. */
  tasks(engines: number): Task[] {
    const rng = this.part("rng").slice();
    const state = this.concealed(this.seat);
    return range(engines).map((engine) => ({ state, rng, engine, engines }));
  }

  /** Return the number of a viewer. Raises EngineError where there is no such seat. */
  private numberOf(viewer: Viewer): number {
    if (viewer === null) return SPECTATOR;
    if (Number.isInteger(viewer) && viewer >= 0 && viewer < this.seats) return viewer;
    throw new EngineError("argument", `there is no seat ${viewer}`);
  }
}

function range(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i);
}
