// The weights of learned values, as bytes: a line that says what they are for, and arrays. `engine/weights.py` writes them;
// `host.ts` chooses which a game takes, and hands them to the engine.

import { EngineError } from "./errors.ts";
import { fetched } from "./fetched.ts";

const FORMAT = 1;
/** The arrays of each use, in order. */
export const ARRAYS = {
  learned: ["first", "first_bias", "second", "second_bias", "spread"],
  lookahead: ["first", "first_bias", "second", "second_bias", "errors", "reach"],
} as const;
const LINE = /^bosquet\.weights (\d+) (\w+) (learned|lookahead) (\d+)\n/;
/** No line is longer. */
const LONGEST = 120;

export interface Weights {
  /** What takes them: the search, or the player that looks ahead. */
  use: keyof typeof ARRAYS;
  /** Which games have them: `weights_key` of the engine. */
  key: number;
  arrays: Map<string, Uint8Array>;
}

/** Weights as the server lists them. */
export interface ListedWeights extends Pick<Weights, "use" | "key"> {
  address: string;
  /** How much is sent, compressed: less than the content. */
  bytes: number;
  /** The hash of the content, in hexadecimal digits. */
  sha256: string;
}

/** Fetch weights; `hash` computes the SHA-256 of bytes. Raises EngineError where the content is not what is listed. */
export async function fetchWeights(
  { address, sha256 }: ListedWeights,
  hash: (content: Uint8Array) => string,
): Promise<Uint8Array> {
  const content = new Uint8Array(await fetched(address));
  if (hash(content) !== sha256) {
    throw new EngineError("unavailable", `${address}: the weights are damaged`);
  }
  return content;
}

/** Read weights of a game; `sizeOf` tells the bytes of a part of the engine's memory. Raises EngineError. */
export function readWeights(bytes: Uint8Array, game: string, sizeOf: (part: string) => number): Weights {
  const [line = "", format, found, use, key] =
    LINE.exec(new TextDecoder("latin1").decode(bytes.subarray(0, LONGEST))) ?? [];
  if (Number(format) !== FORMAT) throw new EngineError("argument", `these bytes are no weights of format ${FORMAT}`);
  if (found !== game) throw new EngineError("game", `the weights are those of ${found}, not of ${game}`);
  const named = use as Weights["use"];
  const arrays = new Map<string, Uint8Array>();
  let at = line.length;
  for (const name of ARRAYS[named]) {
    const end = at + sizeOf(`${named}_${name}`);
    arrays.set(name, bytes.subarray(at, end));
    at = end;
  }
  if (at !== bytes.length) throw new EngineError("argument", `the weights have ${bytes.length} bytes, not ${at}`);
  return { use: named, key: Number(key), arrays };
}
