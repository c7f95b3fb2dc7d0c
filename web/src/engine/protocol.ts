// What the page and the worker of an engine say to each other. Each question has a number, and gets one answer with it.

import type { BoxFindings } from "./boxes.ts";
import type { Ending } from "./ending.ts";
import type { Reason, Why } from "./errors.ts";
import type { Facts } from "./facts.ts";
import type { Player, Settings } from "./settings.ts";
import type { ListedWeights } from "./weights.ts";

/** How much a view helps: `core/assistance.py`. */
export const ASSISTANCE = { none: 0, aids: 1, plain: 2, full: 3 } as const;
export type Assistance = keyof typeof ASSISTANCE;

/** A seat, or a spectator. */
export type Viewer = number | null;

/** Somebody who looks on at a game that was played: a viewer, or one who sees all. */
export type Viewpoint = Viewer | "all";

/** The engine of a game, and where the server says that it is; the hash of the module is part of the address. */
export interface Source {
  address: string;
  game: string;
  /** The weights that there are for it. They are fetched when they are needed. */
  weights?: readonly ListedWeights[];
}

/** How a game stands. */
export interface Turn {
  /** Null if the game is over. */
  seat: number | null;
  over: boolean;
  canUndo: boolean;
  /** Plies so far, chance events included. */
  plies: number;
  /** How it ended; null where it goes on. */
  outcome: Outcome | null;
}

/** How a game ended. */
export interface Outcome {
  scores: number[];
  winners: number[];
  /** Null where it ended by its rules and nobody had resigned. */
  ending: Ending | null;
}

/** A game as it is dealt, so that it is fair: see `core/records/fair.py`. */
export interface Deal {
  /** Those that are left out have their defaults. */
  options: Readonly<Record<string, unknown>>;
  /** What the dealer chose before the nonces were known. */
  secret: string;
  /** What each seat adds; null for a bot. */
  nonces: readonly (string | null)[];
  /** What is in the box: the content of a box file, or keys of a deal. That of the house where it is left out. */
  box?: unknown;
  /** In a later game of a duel the deal of its first one, or the part of it that lies open. */
  openAsIn?: Readonly<Record<string, unknown>>;
}

/** What one of several engines searches. A seat may know all of it. */
export interface Task {
  /** A packed state that looks to the seat to move like that of the game. */
  state: Uint8Array;
  /** The generator, the same for all engines. */
  rng: Uint8Array;
  engine: number;
  engines: number;
}

/** What an engine found: the rows of its candidates, as they lie in its memory, for another one to take in. */
export interface Found {
  count: number;
  parts: Record<string, Uint8Array>;
  /** 0 where the ending was solved: values are exact then, and nothing else was counted. */
  simulations: number;
}

/** A candidate that was searched. */
export interface Candidate {
  visits: number;
  /** Mean value to the mover, 0 … 1. */
  value: number;
  /** Share of its simulations that the mover won. */
  wins: number;
  /** Mean points of every seat where the simulations ended; none where the ending was solved. */
  points: number[];
}

/** The move that a search chose, and its candidates, the best first. */
export interface Choice {
  move: string;
  candidates: Candidate[];
  simulations: number;
}

/** What a seat, or a spectator, knows of a game. */
export interface Position {
  viewer: Viewer;
  /** A packed state that looks the same to it. */
  state: Uint8Array;
}

/** A choice of one move or a whole turn, and how it is estimated to go on: `Choice` of `lab/coach.py`. */
export interface Line {
  moves: string[];
  /** The same moves as data, with what the seat may know of them. */
  data: { say: string }[];
  /** Chance of every seat to win, 0 … 1. */
  wins: number[];
  /** Expected points of every seat at the end. */
  points: number[];
  /** What it changes at once in the points of the seat. */
  gain: number;
  value: number;
  /** The same with nothing hidden, where that was weighed. */
  open?: Pick<Line, "wins" | "points">;
}

/** Something that could be played. */
export interface Hint {
  moves: string[];
  data: { say: string }[];
  /** Null alone. */
  win: number | null;
  points: number;
  /** The same with nothing hidden, where that was asked for. */
  open?: Pick<Hint, "win" | "points">;
}

/** What the coach says of a decision: `Decision` of `lab/coach.py`. */
export interface Decision {
  ply: number;
  seat: number;
  made: Line;
  best: Line[];
  loss: number;
  loss_points: number;
  hindsight: number;
  reason: { kind: string; points: number } | null;
}

/** How bots fared on a seat with the same deal: `Spread` of `lab/luck.py`. */
export interface Spread {
  seat: number;
  points: number[];
  mean: number;
  won: number;
  yours: number;
  beaten: number;
}

/** The sheet and the view of a game with the real box: `Counted` of `core/real_game.py`. */
export interface Counted {
  sheet: Record<string, unknown>;
  view: Record<string, unknown> | null;
}

/** Questions by name: what is asked, and the answer. */
export interface Questions {
  load: { ask: Source; answer: Facts };
  /** Take the weights of learned values in the place of those before: bytes as `engine/weights.py` describes them. */
  weights: { ask: { content: Uint8Array }; answer: null };
  /** The commitment to a secret, which is shown before the nonces are chosen. */
  commitment: { ask: { secret: string }; answer: string };
  /** A box as keys of a deal, null where it is that of the house. */
  box: { ask: { options: Deal["options"]; box: unknown }; answer: Record<string, unknown> | null };
  /** The box of the house as the content of a box file. */
  houseBox: { ask: null; answer: Record<string, unknown> };
  /** Check the content of a box file, place by place; each message is that of Python. */
  inspectBox: { ask: { content: unknown }; answer: BoxFindings };
  /** Deal a game; with moves, take it up after them, without their chance events. */
  deal: { ask: Deal & { moves?: readonly string[] }; answer: Turn };
  /**
   * Take up a game at a packed state, and make moves; the seed draws chance events. Where `unknownTo` names a viewer,
   * what that does not know is drawn first, from the same seed.
   */
  resume: { ask: { state: Uint8Array; seed: string; moves: readonly string[]; unknownTo?: Viewer }; answer: Turn };
  /** The position of a text (docs/positions.md); `resume` takes up a game there. */
  readPosition: { ask: { text: string }; answer: Position };
  /**
   * Check a record and take up its game after the last move; an error is that of `core/records/record.py`. The seed draws the
   * chance events that follow.
   */
  read: { ask: { record: unknown; seed?: string }; answer: Turn };
  /** Check a record, and that its deal and chance events follow from its secret and nonces, as `core/records/fair.py` does. */
  verify: { ask: { record: unknown }; answer: null };
  /** The record of the game, all that is hidden included. */
  record: { ask: null; answer: Record<string, unknown> };
  /** Count a game with the real box, as a server does (`core/real_game_scoring.py`). */
  count: { ask: { real: unknown }; answer: Counted };
  play: { ask: { move: string }; answer: Turn };
  undo: { ask: null; answer: Turn };
  /** End the game before its end, or say which seats had resigned in one that is over. */
  end: { ask: Ending; answer: Turn };
  legal: { ask: null; answer: string[] };
  /** All that the seat to move can try where legal moves are not shown, legal or not: a list of moves as JSON. */
  attempts: { ask: null; answer: string };
  /** A view as a board takes it: where legal moves are not shown, its moves are all that the viewer can try. */
  boardView: { ask: { viewer: Viewer; assistance: Assistance }; answer: string };
  /** The same of the viewer of a position, which is given as text. Leaves the game as it is. */
  viewOf: { ask: { position: string; assistance: Assistance }; answer: string };
  /** What the seat to move can reach with a card: in the game, or as the viewer of a position that is given as text. */
  reachable: { ask: { card: number; position?: string }; answer: string };
  view: { ask: { viewer: Viewer; assistance: Assistance }; answer: string };
  observed: { ask: { move: string; viewer: Viewer; assistance: Assistance }; answer: string };
  sheet: { ask: null; answer: string };
  /** All positions of the game so far: a list of `Frame` (`server/compute/messages.py`), one for the deal and each ply. */
  frames: { ask: { viewpoint: Viewpoint }; answer: string };
  /** Everybody's hand, and what lies face down: `hands` and `revealed` of a `Frame` that shows all, as JSON. */
  revealed: { ask: null; answer: string };
  /** Whether the seat to move is still at the decision of which the last move was a part. */
  continues: { ask: null; answer: boolean };
  /** What a viewer knows, as text. */
  position: { ask: { viewer: Viewer }; answer: string };
  /** Fetch the weights of learned values that bots take in the game, so that they are there when these decide. */
  prepare: { ask: { bots: readonly string[] }; answer: null };
  /** With which seed a bot decides for the seat to move, as at a table of a server with this secret, and how. */
  decision: { ask: { bot: string }; answer: { seed: string; player: Player } };
  /** The move of the bot `random`. */
  random: { ask: { seed: string }; answer: string };
  /** The move of the bot `greedy`. */
  greedy: { ask: { seed: string }; answer: string };
  /** The move of the bot that looks ahead over `cards` of the cards to come, in a game that has it. */
  ahead: { ask: { cards: number }; answer: string };
  /**
   * The best choices for the seat to move; without `simulations` as many as at a table of a server. With `open` each
   * says, too, how it would go on if nothing were hidden.
   */
  hints: { ask: { simulations?: number; open?: boolean }; answer: Hint[] };
  /** Search a little, with what is there: a browser compiles code when that is first called, a fifth of a search. */
  warmUp: { ask: null; answer: null };
  /** How many decisions the game had. */
  decisions: { ask: null; answer: number };
  /** What one of them cost; null where it was forced. */
  weigh: { ask: { decision: number; simulations?: number }; answer: Decision | null };
  /** Bots play the deal of a game that is over once more; how they fared from game 0 up to this one. */
  luck: { ask: { game: number }; answer: Spread[] };
  /** The move that the seat to move has planned or has to make; null if it has to search. */
  known: { ask: null; answer: string | null };
  /** What each of several engines searches for the seat to move. */
  tasks: { ask: { seed: string; engines: number }; answer: Task[] };
  search: { ask: { task: Task; settings: Settings }; answer: Found };
  /** The best move that engines found, after the tasks that this one gave last. */
  choose: { ask: { found: readonly Found[] }; answer: Choice };
}

export type Question = keyof Questions;

/** What the page sends. */
export type Request =
  { [Name in Question]: { id: number; name: Name; ask: Questions[Name]["ask"] } }[Question] | { cancel: number };

/** What the worker sends. */
export type Answer = { id: number; answer: Questions[Question]["answer"] } | { id: number; error: Refused };

/** Why there is no answer: an `EngineError`. */
export interface Refused {
  reason: Reason;
  message: string;
  ply?: number;
  why?: Why;
}
