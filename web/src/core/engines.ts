// The engines of the games here, each in a worker. One of each game can be made ready before it is needed, and has dealt
// the next table by then.

import { type Client, open } from "../engine/client";
import { EngineError } from "../engine/errors";
import type { Deal, Turn } from "../engine/protocol";
import { entryOf } from "./catalogue";

const prepared = new Map<string, Promise<Client>>();

/** What the next table is dealt with, from the box of the house. */
type Next = Pick<Deal, "options" | "secret">;

/** A deal, and how the first seat sees it with all assistance, as JSON. */
export interface Dealt extends Next {
  turn: Turn;
  view: string;
}

/** What the engines that are ready have dealt, by game. */
const ahead = new Map<string, Dealt & { client: Client }>();
/** What an engine has dealt for a table that was set since. */
const dealt = new WeakMap<Client, Dealt>();

/**
 * Make an engine ready, which the next caller of `openEngine` for this game gets, and have it deal for the next table, or
 * else for nobody. Return what it has dealt; undefined where the engine can't be had, or is ready.
 */
export async function prepareEngine(game: string, next?: Next): Promise<Dealt | undefined> {
  if (prepared.has(game)) return undefined;
  const engine = load(game);
  const nobody = { options: { players: entryOf(game)?.players[0] ?? 2 }, secret: "0".repeat(64) };
  // It is asked before anybody gets the engine.
  const dealing = engine.then((client) => dealAhead(client, next ?? nobody));
  prepared.set(game, engine);
  // The caller who needs it tries again, and is told why it can't be had.
  engine.catch(() => prepared.delete(game));
  const found = await dealing.catch(() => undefined);
  if (next && found && prepared.get(game) === engine) ahead.set(game, { ...found, client: await engine });
  return found;
}

async function dealAhead(engine: Client, { options, secret }: Next): Promise<Dealt> {
  const nonces = Array.from({ length: Number(options["players"]) }, () => null);
  const shown = { viewer: 0, assistance: "full" } as const;
  const [turn, view] = await Promise.all([
    engine.ask("deal", { options, secret, nonces }),
    engine.ask("boardView", shown),
  ]);
  return { options, secret, turn, view };
}

/** Return the secret with which a table of a game is dealt already, for one table only; undefined where none is. */
export function secretAhead(game: string, options: Deal["options"]): string | undefined {
  const found = ahead.get(game);
  if (!found || JSON.stringify(found.options) !== JSON.stringify(options)) return undefined;
  ahead.delete(game);
  dealt.set(found.client, found);
  return found.secret;
}

/** Take what an engine has dealt with a secret; undefined where it has to deal. */
export function takeDealt(engine: Client, secret: string): Dealt | undefined {
  const found = dealt.get(engine);
  dealt.delete(engine);
  return found?.secret === secret ? found : undefined;
}

/** Take the engine that is ready, or open one. Raises EngineError. */
export async function openEngine(game: string): Promise<Client> {
  const engine = prepared.get(game);
  prepared.delete(game);
  ahead.delete(game);
  return engine ?? load(game);
}

async function load(game: string): Promise<Client> {
  const { engine: address, weights = [] } = entryOf(game) ?? {};
  if (!address) throw new EngineError("unavailable", `${game} has no engine`);
  return open({ address, game, weights });
}
