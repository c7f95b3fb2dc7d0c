// A game that an engine plays: its moves, what may be taken back, what each viewer sees of it.

import { CHANCE, type Engine, NOBODY } from "./engine.ts";
import { EngineError } from "./errors.ts";
import type { Assistance, Choice, Found, Task, Turn, Viewer } from "./protocol.ts";

/** A ply that was made. */
interface Ply {
  /** The packed state before it. */
  before: Uint8Array;
  /** The seat that moved, or CHANCE. */
  seat: number;
  /** The index of the move among the legal ones; nothing for a chance event. */
  move: number | null;
  undoable: boolean;
}

export class Game {
  private readonly engine: Engine;
  /** Chance events are drawn from this and their number in the game. */
  private readonly seed: string;
  private readonly plies: Ply[] = [];
  /** How often the position has changed. */
  private changes = 0;
  /** The changes when tasks were given: what is found is for no other position. */
  private searchedAt = -1;

  /** Take up a game at a packed state. Raises EngineError. */
  constructor(engine: Engine, state: Uint8Array, seed: string) {
    this.engine = engine;
    this.seed = seed;
    engine.load(state);
    engine.forgetPlans();
    this.drawChance();
  }

  /** Deal a game: `state` holds its options and its box. Raises EngineError. */
  static dealt(engine: Engine, state: Uint8Array, seed: string): Game {
    engine.load(state);
    engine.seed(`${seed}/deal`);
    engine.deal();
    return new Game(engine, engine.packed(), seed);
  }

  get turn(): Turn {
    const { seat } = this.engine;
    return {
      seat: seat === NOBODY ? null : seat,
      over: seat === NOBODY,
      canUndo: this.canUndo,
      plies: this.plies.length,
    };
  }

  /** Whether the last move revealed nothing, and the same seat is still to move. */
  private get canUndo(): boolean {
    const last = this.plies.at(-1);
    return last !== undefined && last.undoable && last.seat === this.engine.seat;
  }

  /** Make a move, and the chance event that is then due. Raises EngineError where it is not legal. */
  play(notation: string): Turn {
    const { engine } = this;
    const move = engine.find(notation);
    const undoable = !engine.isIrreversible(move);
    this.plies.push({ before: engine.packed(), seat: engine.seat, move, undoable });
    engine.make(move);
    this.changes += 1;
    this.drawChance();
    return this.turn;
  }

  private drawChance(): void {
    const { engine } = this;
    while (engine.seat === CHANCE) {
      this.plies.push({ before: engine.packed(), seat: CHANCE, move: null, undoable: false });
      engine.seed(`${this.seed}/chance/${this.plies.length - 1}`);
      engine.drawChance();
    }
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

  legal(): string[] {
    return this.engine.notations();
  }

  view(viewer: Viewer, assistance: Assistance): string {
    return this.engine.view(viewer, assistance);
  }

  /** The text of what a viewer knows. */
  position(viewer: Viewer): string {
    return this.engine.positionText(viewer);
  }

  /** A move about to be made, as a viewer may know it. Raises EngineError where it is not legal. */
  observed(notation: string, viewer: Viewer, assistance: Assistance): string {
    return this.engine.observed(this.engine.find(notation), viewer, assistance);
  }

  /** The score sheet, from all moves of the game. */
  sheet(): string {
    const { engine } = this;
    const now = engine.packed();
    const lists: string[] = [];
    try {
      for (const { before, move } of this.plies) {
        if (move === null) continue;
        engine.load(before);
        lists.push(engine.entries(move));
      }
    } finally {
      engine.load(now);
    }
    lists.push(engine.entries());
    const entries = lists.map((list) => list.slice(1, -1)).filter((inner) => inner);
    return `{"game":"${engine.game}","entries":[${entries.join(",")}],${engine.totals().slice(1)}`;
  }

  // --- Bots

  greedy(seed: string): string {
    this.engine.seed(seed);
    return this.engine.notation(this.engine.greedy());
  }

  ahead(cards: number): string {
    return this.engine.notation(this.engine.lookAhead(cards));
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
    const { move, candidates } = this.engine.choose(found);
    if (move < 0) throw new EngineError("argument", "what was found cannot be made here");
    const simulations = found.reduce((sum, one) => sum + one.simulations, 0);
    return { move: this.engine.notation(move), candidates, simulations };
  }
}
