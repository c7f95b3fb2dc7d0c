// What the page and the worker of an engine say to each other. Each question has a number, and gets one answer with it.

import type { Ending } from "./ending.ts";
import type { Reason } from "./errors.ts";
import type { Facts } from "./facts.ts";
import type { Player, Settings } from "./players.ts";

/** How much a view helps: `core/assistance.py`. */
export const ASSISTANCE = { none: 0, aids: 1, plain: 2, full: 3 } as const;
export type Assistance = keyof typeof ASSISTANCE;

/** A seat, or a spectator. */
export type Viewer = number | null;

/** The engine of a game, and where the server says that it is; the hash of the module is part of the address. */
export interface Source {
  address: string;
  game: string;
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

/** A game as it is dealt, so that it is fair: see `core/fair.py`. */
export interface Deal {
  /** Those that are left out have their defaults. */
  options: Readonly<Record<string, unknown>>;
  /** What the dealer chose before the nonces were known. */
  secret: string;
  /** What each seat adds; null for a bot. */
  nonces: readonly (string | null)[];
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
}

/** Something that could be played: `Hinted` of `server/compute/messages.py`. */
export interface Hint {
  moves: string[];
  data: { say: string }[];
  /** Null alone. */
  win: number | null;
  points: number;
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

/** Questions by name: what is asked, and the answer. */
export interface Questions {
  load: { ask: Source; answer: Facts };
  /** Take the weights of learned values in the place of those before: bytes as `engine/weights.py` describes them. */
  weights: { ask: { content: Uint8Array }; answer: null };
  /** The commitment to a secret, which is shown before the nonces are chosen. */
  commitment: { ask: { secret: string }; answer: string };
  /** Deal a game; with moves, take it up after them, without their chance events. */
  deal: { ask: Deal & { moves?: readonly string[] }; answer: Turn };
  /** Take up a game at a packed state, and make moves; the seed draws chance events. */
  resume: { ask: { state: Uint8Array; seed: string; moves: readonly string[] }; answer: Turn };
  /** Check a record and take up its game after the last move; an error is that of `core/record.py`. */
  read: { ask: { record: unknown }; answer: Turn };
  /** The record of the game, all that is hidden included. */
  record: { ask: null; answer: Record<string, unknown> };
  play: { ask: { move: string }; answer: Turn };
  undo: { ask: null; answer: Turn };
  /** End the game before its end, or say which seats had resigned in one that is over. */
  end: { ask: Ending; answer: Turn };
  legal: { ask: null; answer: string[] };
  view: { ask: { viewer: Viewer; assistance: Assistance }; answer: string };
  observed: { ask: { move: string; viewer: Viewer; assistance: Assistance }; answer: string };
  sheet: { ask: null; answer: string };
  /** What a viewer knows, as text. */
  position: { ask: { viewer: Viewer }; answer: string };
  /** With which seed a bot decides for the seat to move, as at a table of a server with this secret, and how. */
  decision: { ask: { bot: string }; answer: { seed: string; player: Player } };
  /** The move of the bot `random`. */
  random: { ask: { seed: string }; answer: string };
  /** The move of the bot `greedy`. */
  greedy: { ask: { seed: string }; answer: string };
  /** The move of the bot that looks ahead over so many of the cards to come, in a game that has it. */
  ahead: { ask: { cards: number }; answer: string };
  /** The best choices for the seat to move; without `simulations` as many as at a table of a server. */
  hints: { ask: { simulations?: number }; answer: Hint[] };
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
}
