// The options of a game, checked as `check_options` of `core/spec.py` does.

import { EngineError } from "./errors.ts";
import { combination, type Facts, type Options, type OptionValue } from "./facts.ts";
import { quoted } from "./quoting.ts";
import { didYouMean } from "./similar.ts";

/** Return all options of a game, with defaults for those that are not given. Raises EngineError. */
export function checkOptions(facts: Facts, given: Readonly<Record<string, unknown>>): Options {
  const { title, options: known } = facts;
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(known, name)) continue;
    throw wrong(
      `${title} has no option ${quoted(name)}; it has ${Object.keys(known).join(", ")}${didYouMean(name, Object.keys(known))}`,
    );
  }
  const options: Options = {};
  for (const [name, values] of Object.entries(known)) {
    const value = Object.hasOwn(given, name) ? given[name] : values[0];
    if (!(values as unknown[]).includes(value)) {
      throw wrong(
        `${name} is ${quoted(value)}; ${title} takes ${sorted(values)
          .map((one) => quoted(one))
          .join(", ")}${didYouMean(value, values)}`,
      );
    }
    options[name] = value as OptionValue;
  }
  const refused = facts.refused[combination(facts, options)];
  if (refused) throw wrong(refused);
  return options;
}

/** Return the options as a record has them. */
export function optionsInRecords({ options: known, optional_in_records }: Facts, options: Options): Options {
  const isLeftOut = (name: string) => optional_in_records.includes(name) && options[name] === known[name]![0];
  return Object.fromEntries(Object.entries(options).filter(([name]) => !isLeftOut(name)));
}

function sorted(values: readonly OptionValue[]): OptionValue[] {
  return [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function wrong(message: string): EngineError {
  return new EngineError("argument", message);
}
