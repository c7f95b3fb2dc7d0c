// Which known name somebody may have meant, as `did_you_mean` of `core/errors.py`.

import type { OptionValue } from "./facts.ts";
import { quoted } from "./quoting.ts";

const NEAR = 0.6;
const LONGEST = 60;

/** Return a question for the end of a message about an unknown name, `; did you mean "greedy"?`, or nothing. */
export function didYouMean(value: unknown, names: readonly OptionValue[]): string {
  if (typeof value !== "string" || Array.from(value).length >= LONGEST) return "";
  const given = Array.from(value.toLowerCase());
  const known = new Map(names.map((name) => [inPython(name).toLowerCase(), name]));
  const [alike] = [...known]
    .map(([text, name]) => ({ text, name, ratio: ratio(Array.from(text), given) }))
    .filter((one) => one.ratio >= NEAR)
    .sort((one, other) => other.ratio - one.ratio || (one.text < other.text ? 1 : -1));
  if (!alike) return "";
  return `; did you mean ${typeof alike.name === "string" ? quoted(alike.name) : inPython(alike.name)}?`;
}

/** A value as Python writes it. */
function inPython(value: OptionValue): string {
  return typeof value === "boolean" ? (value ? "True" : "False") : String(value);
}

/** How alike two texts are, from 0 to 1: the share of letters in common blocks, the longest first (Ratcliff, Obershelp). */
function ratio(one: readonly string[], other: readonly string[]): number {
  const length = one.length + other.length;
  return length ? (2 * common(one, other)) / length : 1;
}

function common(one: readonly string[], other: readonly string[]): number {
  let [start, at, size] = [0, 0, 0];
  for (let i = 0; i < one.length; i += 1) {
    for (let j = 0; j < other.length; j += 1) {
      let length = 0;
      while (i + length < one.length && j + length < other.length && one[i + length] === other[j + length]) length += 1;
      if (length > size) [start, at, size] = [i, j, length];
    }
  }
  if (!size) return 0;
  return (
    size + common(one.slice(0, start), other.slice(0, at)) + common(one.slice(start + size), other.slice(at + size))
  );
}
