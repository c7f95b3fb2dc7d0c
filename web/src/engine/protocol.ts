// What the page and the worker of an engine say to each other. Each question has a number, and gets one answer with it.

import type { Reason } from "./errors.ts";

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
}

/** Settings of a search; what is left out is left to the game. See `search/settings.py`. */
export interface Settings {
  /** Simulations for a decision, of all engines together; with `seconds` the least. */
  simulations: number;
  /** Search on until so long has passed. */
  seconds?: number;
  /** With `seconds`, stop as soon as no other candidate can get as many visits as the best one. */
  stopEarly?: boolean;
  exploration?: number;
  temperature?: number;
  scale?: number;
  winWeight?: number;
  /** Rounds before a simulation is cut off; 0 plays to the end. */
  rounds?: number;
  randomRollouts?: boolean;
  /** Share of the candidates that are left out at random. */
  candidateDropout?: number;
  /** Take learned values in the place of rollouts; `weights` has brought them. */
  learned?: boolean;
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

/** Questions by name: what is asked, and the answer. */
export interface Questions {
  load: { ask: Source; answer: null };
  /** Take the weights of learned values in the place of those before: bytes as `engine/weights.py` describes them. */
  weights: { ask: { content: Uint8Array }; answer: null };
  /** Deal a game: `state` is packed, with its options and its box set; the seed draws deal and chance events. */
  deal: { ask: { state: Uint8Array; seed: string }; answer: Turn };
  /** Take up a game at a packed state, and make moves; the seed draws chance events. */
  resume: { ask: { state: Uint8Array; seed: string; moves: readonly string[] }; answer: Turn };
  /** The position of a text (docs/positions.md); `resume` takes up a game there. */
  read: { ask: { text: string }; answer: Position };
  /** The text of what a viewer knows. */
  position: { ask: { viewer: Viewer }; answer: string };
  play: { ask: { move: string }; answer: Turn };
  undo: { ask: null; answer: Turn };
  legal: { ask: null; answer: string[] };
  view: { ask: { viewer: Viewer; assistance: Assistance }; answer: string };
  observed: { ask: { move: string; viewer: Viewer; assistance: Assistance }; answer: string };
  sheet: { ask: null; answer: string };
  /** The move of the bot `greedy`. */
  greedy: { ask: { seed: string }; answer: string };
  /** The move of the bot that looks ahead over so many of the cards to come, in a game that has it. */
  ahead: { ask: { cards: number }; answer: string };
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
export type Answer =
  { id: number; answer: Questions[Question]["answer"] } | { id: number; error: { reason: Reason; message: string } };
