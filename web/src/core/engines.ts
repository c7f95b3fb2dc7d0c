// The engines of the games here, each in a worker. One of each game can be made ready before it is needed.

import { type Client, open } from "../engine/client";
import { EngineError } from "../engine/errors";
import type { Turn } from "../engine/protocol";
import { entryOf } from "./catalogue";

const prepared = new Map<string, Promise<Client>>();

/** A deal that nobody plays, and its view as JSON. */
export interface Dealt {
  turn: Turn;
  view: string;
}

/**
 * Make an engine ready, which the next caller of `openEngine` for this game gets. Return a deal for nobody; undefined where
 * the engine can't be had, or is ready.
 */
export async function prepareEngine(game: string): Promise<Dealt | undefined> {
  if (prepared.has(game)) return undefined;
  const engine = load(game);
  // It is asked before anybody gets the engine.
  const dealt = engine.then((client) => dealForNobody(game, client));
  prepared.set(game, engine);
  // The caller who needs it tries again, and is told why it can't be had.
  engine.catch(() => prepared.delete(game));
  return dealt.catch(() => undefined);
}

/** Ask for a deal and a view that nobody sees: a browser compiles what is called, and the first game need not wait. */
async function dealForNobody(game: string, engine: Client): Promise<Dealt> {
  const nonces = Array.from({ length: entryOf(game)?.players[0] ?? 2 }, () => null);
  const deal = { options: { players: nonces.length }, secret: "0".repeat(64), nonces };
  const shown = { viewer: 0, assistance: "full" } as const;
  const [turn, view] = await Promise.all([engine.ask("deal", deal), engine.ask("boardView", shown)]);
  return { turn, view };
}

/** Take the engine that is ready, or open one. Raises EngineError. */
export async function openEngine(game: string): Promise<Client> {
  const engine = prepared.get(game);
  prepared.delete(game);
  return engine ?? load(game);
}

async function load(game: string): Promise<Client> {
  const { engine: address, weights = [] } = entryOf(game) ?? {};
  if (!address) throw new EngineError("unavailable", `${game} has no engine`);
  return open({ address, game, weights });
}
