// What the server says of each of its games in the list of them, `GET /api/games`.

import type { GamePuzzles, GameWeights } from "./messages";

/** A game as the server lists it. */
export interface CatalogueEntry {
  name: string;
  title: string;
  /** The numbers of players, the default first. */
  players: number[];
  options: Record<string, GameOption>;
  /** The rows of the cards of its own deck, in a game that can be played with another one. */
  deck?: string[][] | null;
  /** Whether a table can be opened with another box. */
  box?: boolean;
  /** Seconds that a bot takes for a move where people watch. */
  pace: number;
  /** Where its engine is (`engine/`), which plays it in the page; null where it has none. */
  engine?: string | null;
  /** What the server knows that engine by. */
  engine_hash?: string | null;
  /** Whether it says what can be tried where no moves are shown. */
  attempts?: boolean;
  /** How much that is as it is sent. */
  engine_bytes?: number;
  /** The weights of learned values that the engine takes. */
  weights?: readonly GameWeights[];
  /** What the engine plays as puzzles; null where it has none. */
  puzzles?: GamePuzzles | null;
}

export type OptionValue = boolean | number | string;
export interface GameOption {
  values: OptionValue[];
  default: OptionValue;
  /** The numbers of players with which it may have another value. */
  players: number[];
  /** The option in words, where the page has none of its own. */
  help?: string | null;
}
