// A game that an engine plays: its moves, what may be taken back, what each viewer sees of it.

import { deal } from "./dealing.ts";
import { checkEnding, type Ending, winnersOf } from "./ending.ts";
import { CHANCE, type Engine, NOBODY } from "./engine.ts";
import { EngineError } from "./errors.ts";
import { ofOptions, playerOf, useOf } from "./facts.ts";
import { Judge, type Made } from "./judge.ts";
import { Luck } from "./luck.ts";
import { optionsInRecords } from "./options.ts";
import type {
  Assistance,
  Choice,
  Deal,
  Decision,
  Found,
  Hint,
  Line,
  Outcome,
  Questions,
  Spread,
  Task,
  Turn,
  Viewer,
  Viewpoint,
} from "./protocol.ts";
import type { Json } from "./reading.ts";
import { framesOf, type Ply, revealedIn } from "./replay.ts";
import type { Player } from "./settings.ts";
import type { Weights } from "./weights.ts";

/** Where a game comes from. */
interface Source {
  /** Chance events are drawn from this and their number in the game; without it they are given. */
  seed?: string;
  /** What the chance of bots follows from besides the position. */
  salt?: string;
  /** The state that was dealt, if this is the whole game. */
  first?: Uint8Array;
  /** Keys of its record that say more. */
  extra?: Json;
}

export class Game {
  private readonly engine: Engine;
  private readonly source: Source;
  private readonly plies: Ply[] = [];
  private ending: Ending | null = null;
  private again: { luck: Luck; games: number } | undefined;
  /** How often the position has changed. */
  private changes = 0;
  /** The changes when tasks were given: what is found is for no other position. */
  private searchedAt = -1;

  /** Take up a game at a packed state. Raises EngineError. */
  constructor(engine: Engine, state: Uint8Array, source: Source) {
    this.engine = engine;
    this.source = source;
    engine.load(state);
    engine.forgetPlans();
    this.drawChance();
  }

  /** Deal a game, as `fair.deal` does. Raises EngineError. */
  static dealt(engine: Engine, given: Deal): Game {
    const { secret, nonces } = given;
    const seed = engine.dealSeed(secret, nonces);
    const { players } = deal(engine, given, `${seed}/deal`);
    if (nonces.length !== players) {
      throw new EngineError("argument", `${nonces.length} nonces for ${String(players)} seats`);
    }
    const first = engine.packed();
    const extra = { fair: { commitment: engine.commitment(secret), secret, nonces } };
    return new Game(engine, first, { seed, salt: engine.commitment(`bots/${secret}`), first, extra });
  }

  get turn(): Turn {
    const { seat } = this.engine;
    return {
      seat: seat === NOBODY ? null : seat,
      over: seat === NOBODY,
      canUndo: this.canUndo,
      plies: this.plies.length,
      outcome: seat === NOBODY ? this.outcome : null,
    };
  }

  private get outcome(): Outcome {
    const { ending } = this;
    const { scores, winners } = this.engine;
    return { scores, winners: ending ? winnersOf(ending, winners, scores) : winners, ending };
  }

  /** Whether the last move revealed nothing, and the same seat is still to move. */
  private get canUndo(): boolean {
    const last = this.plies.at(-1);
    return !this.ending && last !== undefined && last.undoable && last.seat === this.engine.seat;
  }

  /** Make a move, and the chance event that is then due. Raises EngineError where it is not legal. */
  play(notation: unknown): Turn {
    const { engine } = this;
    const move = engine.find(notation);
    const undoable = !engine.isIrreversible(move);
    this.plies.push({ before: engine.packed(), seat: engine.seat, move, undoable, say: String(notation) });
    engine.make(move);
    this.changes += 1;
    this.drawChance();
    return this.turn;
  }

  private drawChance(): void {
    while (this.chanceDue && this.source.seed !== undefined) this.drawBy(this.source.seed);
  }

  /** Whether a chance event is due, which happens only in a game of a record. */
  get chanceDue(): boolean {
    return this.engine.seat === CHANCE;
  }

  private drawBy(seed: string): void {
    const { engine } = this;
    const before = engine.packed();
    engine.seed(`${seed}/chance/${this.plies.length}`);
    engine.drawChance();
    this.plies.push({ before, seat: CHANCE, move: null, undoable: false, say: engine.chanceText() });
  }

  /** Make the chance event that is due. Raises EngineError. */
  takeChance(notation: unknown): void {
    const before = this.engine.packed();
    this.engine.takeChance(notation);
    this.plies.push({ before, seat: CHANCE, move: null, undoable: false, say: String(notation) });
  }

  /** Draw chance events from a seed from now on. */
  goOn(seed: string): void {
    this.source.seed = seed;
    this.drawChance();
  }

  /** Take the last move back. Raises EngineError where that is not allowed. */
  undo(): Turn {
    if (!this.canUndo) {
      const reason = "the last move revealed something, or another seat is to move";
      throw new EngineError("move", `nothing to take back: ${reason}`);
    }
    this.engine.load(this.plies.pop()!.before);
    this.changes += 1;
    return this.turn;
  }

  /** End the game before its end, or say which seats had resigned in one that is over. Raises EngineError. */
  end(ending: Ending): Turn {
    const { engine } = this;
    if (this.ending) throw new EngineError("argument", "the game has ended already");
    checkEnding(ending, engine.seats, engine.seat === NOBODY);
    engine.endEarly();
    this.ending = ending;
    this.changes += 1;
    return this.turn;
  }

  /** What was played so far, chance events included, in notation. */
  get says(): string[] {
    return this.plies.map(({ say }) => say);
  }

  legal(): string[] {
    return this.engine.notations();
  }

  attempts(): string {
    return `[${this.engine.attempts().join(",")}]`;
  }

  view(viewer: Viewer, assistance: Assistance): string {
    return this.judged(this.engine.view(viewer, assistance));
  }

  /** A view as a board takes it: where legal moves are not shown, its moves are all that the viewer can try. */
  boardView(viewer: Viewer, assistance: Assistance): string {
    return this.judged(this.engine.boardView(viewer, assistance));
  }

  /** What a viewer knows, as text. Raises EngineError for a game that was ended before its end. */
  position(viewer: Viewer): string {
    if (this.ending && this.ending.how !== "played") {
      throw new EngineError("argument", "the game was ended before its end by the rules, which no position says");
    }
    return this.engine.position(viewer);
  }

  /** A view or a sheet with the winners of a game that ended other than by its rules. */
  private judged(text: string): string {
    return this.ending ? JSON.stringify({ ...JSON.parse(text), winners: this.outcome.winners }) : text;
  }

  /** A move about to be made, as a viewer may know it. Raises EngineError where it is not legal. */
  observed(notation: string, viewer: Viewer, assistance: Assistance): string {
    return this.engine.observed(this.engine.find(notation), viewer, assistance);
  }

  /** All positions of the game as somebody sees them who looks on, as JSON. Raises EngineError. */
  frames(viewpoint: Viewpoint): string {
    const last = this.view(viewpoint === "all" ? null : viewpoint, "aids");
    return framesOf(this.engine, this.plies, viewpoint, last);
  }

  /** Everybody's hand, and what lies face down, as JSON. */
  revealed(): string {
    return revealedIn(this.engine);
  }

  /** The score sheet, from all moves of the game. */
  sheet(): string {
    const { engine } = this;
    const lists: string[] = [];
    this.visit(({ move }) => void lists.push(engine.entries(move)));
    lists.push(engine.entries());
    const entries = lists.map((list) => list.slice(1, -1)).filter((inner) => inner);
    return this.judged(`{"game":"${engine.game}","entries":[${entries.join(",")}],${engine.totals().slice(1)}`);
  }

  // --- Record

  /** The result by the rules as in a record; null while the game runs, and if it ended before its end. */
  get result(): Record<string, number[]> | null {
    const { engine, ending } = this;
    if (engine.seat !== NOBODY || (ending && ending.how !== "played")) return null;
    const totals = JSON.parse(engine.totals()) as Record<string, number[]>;
    const more = ofOptions(engine.facts, engine.options).result ?? [];
    const { scores, winners } = engine;
    return { scores, winners, ...Object.fromEntries(more.map((name) => [name, totals[name]!])) };
  }

  /** The record of the game (docs/records.md). Raises EngineError where it was not taken up from its deal. */
  record(): Record<string, unknown> {
    const { engine, ending } = this;
    const { first, extra } = this.source;
    if (!first) throw new EngineError("argument", "a game that was taken up later has no record");
    const dealt = engine.aside((): unknown => {
      engine.load(first);
      return JSON.parse(engine.dealText());
    });
    return {
      format: "bosquet/1",
      game: engine.game,
      options: optionsInRecords(engine.facts, engine.options),
      deal: dealt,
      moves: this.says,
      result: this.result,
      ...(ending && { ending: this.writtenEnding(ending) }),
      ...extra,
    };
  }

  private writtenEnding({ how, resigned }: Ending): Record<string, unknown> {
    const { scores, winners } = this.outcome;
    return how === "void" ? { how, resigned } : { how, resigned, scores, winners };
  }

  // --- Bots

  /** For what bots take weights of learned values here. */
  usesOf(bots: readonly string[]): Weights["use"][] {
    const { facts, options } = this.engine;
    return [...new Set(bots.flatMap((bot) => useOf(facts, options, bot) ?? []))];
  }

  /** For what hints and the coach take them. */
  get usesOfHints(): Weights["use"][] {
    const { facts, options } = this.engine;
    return ofOptions(facts, options).learned_hints ? ["learned"] : [];
  }

  /** With which seed a bot decides here, as at a table of a server with this secret, and how. Raises EngineError. */
  decision(bot: string): { seed: string; player: Player } {
    const { engine } = this;
    if (engine.seat < 0) throw new EngineError("move", "no seat is to move");
    const player = playerOf(engine.facts, engine.options, bot, (use) => engine.hasWeights(use));
    return { seed: `${bot}/${this.source.salt ?? ""}/${engine.knowledge()}`, player };
  }

  random(seed: string): string {
    this.engine.seed(seed);
    return this.engine.notation(this.engine.random());
  }

  greedy(seed: string): string {
    this.engine.seed(seed);
    return this.engine.notation(this.engine.greedy());
  }

  ahead(cards: number): string {
    return this.engine.notation(this.engine.lookAhead(cards));
  }

  // --- What choices are worth

  /** The best choices for the seat to move, as at a table of a server. Raises EngineError. */
  async hints({ simulations, open = false }: Questions["hints"]["ask"], signal: AbortSignal): Promise<Hint[]> {
    const { engine } = this;
    const { seat, seats } = engine;
    if (seat < 0) throw new EngineError("move", "no seat is to move");
    const { coach } = engine.facts;
    const judge = new Judge(engine, engine.packed(), simulations ?? coach.simulations, signal);
    const lines = await judge.hints(`hint/${engine.knowledge()}`, coach.candidates, open);
    const told = ({ wins, points }: Pick<Line, "wins" | "points">) => ({
      win: seats === 1 ? null : wins[seat]!,
      points: points[seat]!,
    });
    return lines.map(({ moves, data, open, ...line }) => ({
      moves,
      data,
      ...told(line),
      ...(open && { open: told(open) }),
    }));
  }

  /** Whether the seat to move is still at the decision of which the last move was a part. */
  get continues(): boolean {
    const { engine } = this;
    const last = this.decisions.at(-1);
    if (!last || engine.seat < 0) return false;
    engine.part("known").set(this.plies[last[0]!]!.before);
    return engine.call("continues") !== 0;
  }

  /** The plies of each decision, by their index. */
  get decisions(): number[][] {
    const { engine } = this;
    const found: number[][] = [];
    this.visit((_, index) => {
      const last = found.at(-1);
      if (last) engine.part("known").set(this.plies[last[0]!]!.before);
      if (last && engine.call("continues")) last.push(index);
      else found.push([index]);
    });
    return found;
  }

  /** What a decision cost, null where it was forced. Raises EngineError. */
  async weigh(index: number, simulations: number | undefined, signal: AbortSignal): Promise<Decision | null> {
    const { engine } = this;
    const plies = this.decisions[index];
    if (!plies) throw new EngineError("argument", `there is no decision ${index}`);
    let choices = 0;
    const actions: number[] = [];
    this.visit(({ move }, ply) => {
      if (!plies.includes(ply)) return;
      choices ||= engine.call("moves_of");
      actions.push(engine.call("action_of", move));
    });
    if (plies.length === 1 && choices === 1) return null;
    const made: Made = { ply: plies[0]!, actions };
    const state = this.plies[made.ply]!.before;
    return new Judge(engine, state, simulations ?? engine.facts.coach.simulations, signal).decision(made);
  }

  /** How bots fared who played the deal once more, from game 0 up to this one. Raises EngineError. */
  luck(game: number): Spread[] {
    const { engine } = this;
    if (engine.seat !== NOBODY) throw new EngineError("argument", "the game is not over");
    if (game === 0) {
      this.again = { luck: new Luck(engine, this.plies[0]?.before ?? engine.packed(), engine.scores), games: 0 };
    }
    if (this.again?.games !== game) throw new EngineError("argument", `game ${game} comes after others`);
    this.again.games += 1;
    return this.again.luck.play();
  }

  /** Look at every move that was made, in the state before it. Leaves the game as it is. */
  private visit(look: (ply: Ply & { move: number }, index: number) => void): void {
    const { engine } = this;
    engine.aside(() => {
      for (const [index, ply] of this.plies.entries()) {
        if (ply.move === null) continue;
        engine.load(ply.before);
        look({ ...ply, move: ply.move }, index);
      }
    });
  }

  known(): string | null {
    const move = this.engine.knownMove();
    return move === null ? null : this.engine.notation(move);
  }

  tasks(seed: string, engines: number): Task[] {
    this.searchedAt = this.changes;
    this.engine.seed(seed);
    return this.engine.tasks(engines);
  }

  choose(found: readonly Found[]): Choice {
    if (this.searchedAt !== this.changes) throw new EngineError("cancelled", "the game has gone on");
    const { move, candidates } = this.engine.searcher.choose(found);
    if (move < 0) throw new EngineError("argument", "what was found cannot be made here");
    const simulations = found.reduce((sum, one) => sum + one.simulations, 0);
    return { move: this.engine.notation(move), candidates, simulations };
  }
}
