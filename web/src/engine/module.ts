// The module of a game: where it comes from, and whether it is the right one.

import { asEngineError, EngineError } from "./errors.ts";
import type { Facts } from "./facts.ts";
import { fetched } from "./fetched.ts";

/** The version of the exports that this page uses. */
export const FORMAT = 3;
/** Sections of a module: its format and its game, with a space between, and its facts. */
const GAME = "bosquet.game";
const FACTS = "bosquet.facts";

/** A function that a module exports takes and returns integers of 32 bits. */
export type Calls = Record<string, (...numbers: number[]) => number>;

/** A module of the right game, ready to be called. Its memory does not grow, so views of it stay valid. */
export interface Module {
  game: string;
  facts: Facts;
  calls: Calls;
  memory: ArrayBuffer;
}

/** Fetch the module of a game. Raises EngineError. */
export async function fetchModule(address: string, game: string): Promise<Module> {
  return startModule(await fetched(address), game);
}

/** Compile a module and start it. Raises EngineError where it is not the engine of the game, for this page. */
export async function startModule(bytes: BufferSource, game: string): Promise<Module> {
  if (typeof WebAssembly === "undefined") throw new EngineError("unavailable", "there is no WebAssembly here");
  try {
    const compiled = await WebAssembly.compile(bytes);
    check(compiled, game);
    const facts = JSON.parse(section(compiled, FACTS) ?? "") as Facts;
    const { exports } = await WebAssembly.instantiate(compiled);
    return { game, facts, calls: exports as Calls, memory: (exports.memory as WebAssembly.Memory).buffer };
  } catch (error) {
    throw asEngineError(error, "module");
  }
}

function check(compiled: WebAssembly.Module, game: string): void {
  const [format, found] = section(compiled, GAME)?.split(" ") ?? [];
  if (!found) throw new EngineError("module", "the module is no engine of a game");
  if (Number(format) !== FORMAT) {
    throw new EngineError("module", `the engine has format ${format}; this page uses format ${FORMAT}`);
  }
  if (found !== game) throw new EngineError("game", `the engine plays ${found}, not ${game}`);
}

function section(compiled: WebAssembly.Module, name: string): string | undefined {
  const [found] = WebAssembly.Module.customSections(compiled, name);
  return found && new TextDecoder().decode(found);
}
