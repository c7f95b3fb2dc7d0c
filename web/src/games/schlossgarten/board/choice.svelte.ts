// What the player holds at the moment: a card, a pawn, a tool, a site that is looked at. It picks from the moves.

import { middleOf, type Point } from "../art/outline";
import type { Figure, SchlossgartenMove, SchlossgartenView } from "../../../client/messages";
import { MARKS, type Mark, pawnOn } from "./pawns";
import type { Plan } from "./way";

/** A spade, or an element by the number of its cells. */
export type Tool = "dig" | 1 | 2 | 3;
const TOOLS: Tool[] = ["dig", 1, 2, 3];
type Means = "mouse" | "touch" | "keys";

/** A figure that is aimed at, and where the own pawns stand after each of its steps. */
export interface Aim {
  figure: Figure;
  stands: string[][];
}

export class Choice {
  card = $state<number | null>(null);
  #aim = $state.raw<Aim | null>(null);
  #pawn = $state<Mark | null>(null);
  #tool = $state<Tool | null>(null);
  #hitCell = $state<string | null>(null);
  #site = $state<string | null>(null);
  /** How often a cell was pressed for which nothing is in hand: what is to be done first is then said with weight. */
  missed = $state(0);

  constructor(
    readonly view: () => SchlossgartenView,
    readonly onmove: () => ((say: string, byItself?: boolean) => void) | undefined,
    /** Whether the moves are only what can be tried, and nothing is marked. */
    readonly attempting: () => boolean = () => false,
  ) {}

  /** The figure that one has chosen to form. */
  aim = $derived.by(() => this.#aim);
  /** What is still to do for it; without steps where somebody has gone another way. */
  ahead = $derived.by((): Plan | undefined => {
    const aim = this.#aim;
    const own = this.view().pawns[this.view().seat ?? -1];
    if (!aim || !own) return undefined;
    const done = aim.stands.findLastIndex((cells) => cells.every((cell, kind) => cell === own[kind]));
    const data = done < 0 ? [] : aim.figure.data.slice(done);
    return { ...aim.figure, data, works: this.view().phase === "card" ? aim.figure.works : [] };
  });

  moves = $derived.by(() => (this.onmove() ? this.view().moves : []));
  movable = $derived.by(() => MARKS.filter((mark) => this.moves.some((move) => move.pawn === mark)));

  /** The pawn in hand: the one that was picked, or the only one there is. */
  pawn = $derived.by(() => {
    if (this.#pawn && this.movable.includes(this.#pawn)) return this.#pawn;
    return this.movable.length === 1 ? this.movable[0]! : null;
  });
  #own = $derived.by(() => (this.pawn ? this.moves.filter((move) => move.pawn === this.pawn) : []));

  tools = $derived.by(() => TOOLS.filter((tool) => this.#own.some((move) => toolOf(move) === tool)));
  tool = $derived.by(() => (this.#tool && this.tools.includes(this.#tool) ? this.#tool : (this.tools[0] ?? null)));

  /** The cell whose pawn is about to be hit, while its refuge is to be chosen. */
  hitCell = $derived.by(() => (this.#own.some((move) => hits(move, this.#hitCell)) ? this.#hitCell : null));

  /** Moves that can be picked on the board now. */
  options = $derived.by(() => {
    if (this.hitCell) return this.#own.filter((move) => hits(move, this.hitCell));
    return this.tool ? this.#own.filter((move) => toolOf(move) === this.tool) : this.#own;
  });
  sites = $derived.by(() => this.options.filter((move) => move.kind === "build"));
  /** The site that is looked at; an only one always is. */
  site = $derived.by(() => {
    if (this.sites.length === 1) return this.sites[0]!;
    return this.sites.find((move) => move.say === this.#site) ?? null;
  });

  /** By cell, the kind of move that it takes. */
  targets = $derived.by(() => {
    const marked = this.options.filter((move) => move.kind !== "build");
    return new Map(
      marked.map((move) => (this.hitCell ? [move.refuge ?? "", "refuge"] : [move.cells[0] ?? "", move.kind])),
    );
  });

  /** By cell, what is marked there for those who see and those who listen. */
  marked = $derived.by(() => (this.attempting() ? new Map<string, string>() : this.targets));

  /** Take a card up; what was aimed at with another one is forgotten. */
  choose(card: number): void {
    if (this.card !== card) this.#aim = null;
    this.card = card;
  }

  aimAt(figure?: Figure): void {
    this.#aim = figure ? { figure, stands: standsOf(this.view(), figure) } : null;
  }

  pick(cell: string, point: Point | null, means: Means): void {
    if (this.#isSite(cell)) return this.#pickSite(cell, point, means);
    const found = this.options.filter((move) => (this.hitCell ? move.refuge : move.cells[0]) === cell);
    if (found.length === 1) return this.play(found[0]);
    this.#hitCell = found.length > 1 ? cell : null;
    if (!found.length) this.#pickPawn(cell);
    this.missed = !found.length && !this.pawn && this.moves.length > 0 ? this.missed + 1 : 0;
  }

  /** Hold a pawn; the one in hand is let go. */
  hold(mark: Mark): void {
    this.#pawn = this.#pawn === mark ? null : mark;
    this.missed = 0;
    this.#tool = this.#hitCell = this.#site = null;
  }

  take(tool: Tool): void {
    this.#tool = tool;
    this.#site = null;
  }

  /** Look at the site that lies nearest to a point of a cell, or at none. */
  look(cell: string | null, point: Point | null): void {
    if (this.tool === "dig") return;
    this.#site = (cell && this.#nearest(cell, point)?.say) || null;
  }

  /** Look at the next of the sites, of all or of those on a cell. */
  turn(cell?: string): void {
    const sites = cell ? this.#sitesOn(cell) : this.sites;
    const next = sites[(sites.findIndex((move) => move.say === this.#site) + 1) % sites.length];
    this.#site = next?.say ?? null;
  }

  /** One step back: the refuge, the site, the pawn, the card. */
  back(): void {
    if (this.hitCell) this.#hitCell = null;
    else if (this.site) this.#site = null;
    else if (this.#pawn) this.#pawn = null;
    else if (this.#aim) this.#aim = null;
    else this.card = null;
  }

  /** A new turn begins with empty hands. */
  renew(): void {
    this.#aim = null;
    this.missed = 0;
    this.card = this.#pawn = this.#tool = this.#hitCell = this.#site = null;
  }

  /** Make a move, if it is offered. */
  play(move: SchlossgartenMove | undefined): void {
    this.missed = 0;
    this.#hitCell = this.#site = null;
    if (!this.attempting()) this.#tool = null; // what is refused is tried elsewhere
    if (move) this.onmove()?.(move.say);
  }

  #isSite(cell: string): boolean {
    return this.sites.some((move) => move.cells.includes(cell));
  }

  #sitesOn(cell: string): SchlossgartenMove[] {
    return this.sites.filter((move) => move.cells.includes(cell));
  }

  /** A mouse has looked before it picks; a finger looks first, and picks what it looks at. */
  #pickSite(cell: string, point: Point | null, means: Means): void {
    const looked = means === "keys" && this.site?.cells.includes(cell) ? this.site : this.#nearest(cell, point);
    if (!looked) return;
    if (means === "mouse" || looked === this.site) this.play(looked);
    else this.#site = looked.say;
  }

  #nearest(cell: string, point: Point | null): SchlossgartenMove | undefined {
    const from = point ?? middleOf(cell);
    const far = (move: SchlossgartenMove) => {
      const middle = middleOf(...move.cells);
      return Math.hypot(middle.x - from.x, middle.y - from.y);
    };
    return this.#sitesOn(cell).toSorted((a, b) => far(a) - far(b))[0];
  }

  #pickPawn(cell: string): void {
    const view = this.view();
    const pawn = pawnOn(view, cell);
    if (pawn && pawn.seat === view.seat && this.movable.includes(pawn.mark)) this.hold(pawn.mark);
    else this.#pawn = null;
  }
}

/** The cells of the own pawns now, and after each step of the way to a figure. */
function standsOf(view: SchlossgartenView, figure: Figure): string[][] {
  const stands = [view.pawns[view.seat ?? 0] ?? []];
  for (const { pawn, to } of figure.data) {
    stands.push(stands.at(-1)!.map((at, kind) => (to && MARKS[kind] === pawn ? to : at)));
  }
  return stands;
}

function toolOf(move: SchlossgartenMove): Tool | null {
  if (move.kind === "dig") return "dig";
  return move.kind === "build" ? (move.cells.length as Tool) : null;
}

function hits(move: SchlossgartenMove, cell: string | null): boolean {
  return move.kind === "hit" && move.cells[0] === cell;
}
