import { expect, test } from "vitest";
import { initialOf } from "./initial";

test.each([
  ["ann", "A"],
  [" Éva", "É"],
  ["e\u0301va", "E\u0301"],
  ["🦎 Liz", "🦎"],
  ["👩‍🚀 Zoe", "👩‍🚀"],
  ["🇬🇧 Bea", "🇬🇧"],
  ["", ""],
])("%o is called %o for short", (name, initial) => expect(initialOf(name)).toBe(initial));
