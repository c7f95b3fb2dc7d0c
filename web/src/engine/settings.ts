// Who plays for a bot, and how.

/** Who plays for a bot: one without settings, one that looks ahead over some of the cards to come, or a search. */
export type Player = "random" | "greedy" | { cards: number } | Searcher;
/** A search with as many engines at once. */
export interface Searcher {
  engines: number;
  settings: Settings;
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
