// What a module says of its game besides the kernels: `engine/facts.py`.

import type { BoxForm } from "./boxes.ts";
import type { Form } from "./deals.ts";
import { EngineError, type Why } from "./errors.ts";
import { quoted } from "./quoting.ts";
import type { Player, Searcher } from "./settings.ts";
import type { Weights } from "./weights.ts";

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
  coach: { simulations: number; closer: number; candidates: number; costliest: number; reasons: string[] };
  /** The bot that plays a deal again, and how often. */
  luck: { bot: string; games: number };
  /** The forms of deals; empty where a page reads no records. */
  deals: Form[];
  /** The types of the fields of the state that a deal gives. */
  fields: Record<string, string>;
  /** The form of its boxes; empty where it has none. */
  box: BoxForm;
  /** Keys of a deal that say what lies open before the first move. */
  open_keys: string[];
  /** The form of games with the real box; empty where the engine counts none. */
  real: RealForm;
  /** Why a move is illegal: sentences by the keys that the engine writes, with names in braces. */
  reasons: Record<string, string>;
  /** What differs with the options, by their combination. */
  by_options: Record<string, OptionFacts>;
}

/** A JSON schema without references, as `form_of` of `core/real_game.py` makes it. */
export interface RealForm {
  type?: "string" | "integer" | "boolean" | "array" | "object";
  /** Null may stand there, too. */
  nullable?: true;
  default?: unknown;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  items?: RealForm;
  maxItems?: number;
  properties?: Readonly<Record<string, RealForm>>;
  required?: readonly string[];
  propertyNames?: RealForm;
  additionalProperties?: RealForm | false;
  maxProperties?: number;
  /** The names of which a text is one. */
  names?: readonly string[];
  what?: string;
  rule?: string;
  /** A text is a name and what the groups of a pattern match. */
  move?: { rest: string; letters: string; says: string; each: string };
}

interface OptionFacts {
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

/** Return why something is illegal, as the game says it in English. */
export function sentenceOf({ reasons }: Facts, { key, about }: Why): string | undefined {
  return reasons[key]?.replaceAll(/{(\w+)}/g, (_, name: string) => about[name]!);
}

/** Return what a game says of its options. */
export function ofOptions(facts: Facts, options: Options): OptionFacts {
  return facts.by_options[combination(facts, options)] ?? {};
}

/** Return what for the bot of a name takes weights of learned values, in a game with these options, if it does. */
export function useOf(facts: Facts, options: Options, bot: string): Weights["use"] | undefined {
  if (bot !== "champion") return undefined;
  const { looks_ahead, learned } = ofOptions(facts, options);
  return looks_ahead !== undefined ? "lookahead" : learned ? "learned" : undefined;
}

/**
 * Return who plays for a bot in a game with these options; `has` tells for which use there are weights of learned
 * values. Raises EngineError for a name that is none.
 */
export function playerOf(facts: Facts, options: Options, bot: string, has: (use: Weights["use"]) => boolean): Player {
  if (bot === "random" || bot === "greedy") return bot;
  const found = Object.hasOwn(facts.bots, bot) ? facts.bots[bot] : undefined;
  if (!found) throw new EngineError("argument", `there is no bot ${quoted(bot)}`);
  const use = useOf(facts, options, bot);
  if (!use || !has(use)) return found;
  if (use === "lookahead") return { cards: ofOptions(facts, options).looks_ahead! };
  return { ...found, settings: { ...found.settings, learned: true } };
}
