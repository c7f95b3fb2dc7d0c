// The engines of the games here, each in a worker. One of each game can be made ready before it is needed.

import { type Client, open } from "../engine/client";
import { EngineError } from "../engine/errors";
import { entryOf } from "./catalogue";

const prepared = new Map<string, Promise<Client>>();

/** Make an engine ready, which the next caller of `openEngine` for this game gets. */
export async function prepareEngine(game: string): Promise<void> {
  if (prepared.has(game)) return;
  const engine = load(game).then((client) => dealForNobody(game, client));
  prepared.set(game, engine);
  // The caller who needs it tries again, and is told why it can't be had.
  await engine.catch(() => prepared.delete(game));
}

/**
 * Ask for a deal and a view that nobody sees: a browser compiles what is called, and the first game need not wait for that.
 * Return the engine, which answers whatever it is asked afterwards.
 */
function dealForNobody(game: string, engine: Client): Client {
  const nonces = Array.from({ length: entryOf(game)?.players[0] ?? 2 }, () => null);
  const deal = { options: { players: nonces.length }, secret: "0".repeat(64), nonces };
  const view = { viewer: 0, assistance: "full" } as const;
  Promise.all([engine.ask("deal", deal), engine.ask("boardView", view)]).catch(() => undefined);
  return engine;
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
