// What a module says of its game besides the kernels: `engine/facts.py`.

import type { Form } from "./deals.ts";
import { EngineError } from "./errors.ts";
import { quoted } from "./quoting.ts";
import type { Weights } from "./weights.ts";
import type { Player, Searcher } from "./players.ts";

export type OptionValue = string | number | boolean;
/** The options of a game by name, including `players`. */
export type Options = Record<string, OptionValue>;

export interface Facts {
  title: string;
  /** The values of each option, the default first. */
  options: Record<string, OptionValue[]>;
  /** Combinations of options that are not allowed, and why. */
  refused: Record<string, string>;
  /** Options that a record leaves out where they have their default. */
  optional_in_records: string[];
  /** The bots that search, by name. */
  bots: Record<string, Searcher>;
  /** How the coach weighs. */
  coach: { simulations: number; candidates: number; costliest: number; reasons: string[] };
  /** The bot that plays a deal again, and how often. */
  luck: { bot: string; games: number };
  /** The forms of deals; empty where a page reads no records. */
  deals: Form[];
  /** The types of the fields of the state that a deal gives. */
  fields: Record<string, string>;
  /** Keys of a deal that say what is in the box. */
  box_keys: string[];
  /** What differs with the options, by their combination. */
  by_options: Record<string, OptionFacts>;
}

export interface OptionFacts {
  /** How shares of simulations become chances to win; 0 if that was not fitted. */
  sharpness?: number;
  /** Whether there are learned values for the search, and whether they find better hints. */
  learned?: boolean;
  learned_hints?: boolean;
  /** Which of the forms its deal has. */
  deal?: number;
  /** What a result has besides scores and winners. */
  result?: string[];
  /** How many of the cards to come the champion looks at, in a game that is played in this way. */
  looks_ahead?: number;
}

/** Return the name of a combination of all options, in the order of the game. */
export function combination(facts: Facts, options: Options): string {
  return JSON.stringify(Object.keys(facts.options).map((name) => options[name]));
}

/** Return what a game says of its options. */
export function ofOptions(facts: Facts, options: Options): OptionFacts {
  return facts.by_options[combination(facts, options)] ?? {};
}

/**
 * Return who plays for a bot in a game with these options; `has` tells for which use there are weights of learned
 * values. Raises EngineError for a name that is none.
 */
export function playerOf(facts: Facts, options: Options, bot: string, has: (use: Weights["use"]) => boolean): Player {
  if (bot === "random" || bot === "greedy") return bot;
  const found = Object.hasOwn(facts.bots, bot) ? facts.bots[bot] : undefined;
  if (!found) throw new EngineError("argument", `there is no bot ${quoted(bot)}`);
  if (bot !== "champion") return found;
  const { looks_ahead, learned } = ofOptions(facts, options);
  if (looks_ahead !== undefined && has("lookahead")) return { cards: looks_ahead };
  return learned && has("learned") ? { ...found, settings: { ...found.settings, learned } } : found;
}
