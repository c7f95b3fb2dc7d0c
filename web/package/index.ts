// The engines of the games for pages and programs of others: README.md.

import { type Client, open as load } from "../src/engine/client.ts";
import { inThread } from "../src/engine/inThread.ts";
import type { Deal } from "../src/engine/protocol.ts";

export { botMove } from "../src/engine/bots.ts";
export { Client } from "../src/engine/client.ts";
export { EngineError } from "../src/engine/errors.ts";
export type * from "../src/engine/protocol.ts";

/** The games of this package. */
export const GAMES = ["topiary", "topas", "schlossgarten"] as const;
export type GameName = (typeof GAMES)[number];

/** Load the engine of a game into this thread: a search keeps it busy. Raises EngineError. */
export async function open(game: GameName): Promise<Client> {
  return load({ address: addressOf(game), game }, inThread());
}

/** Load the engine of a game into a worker, in a browser. Raises EngineError. */
export async function openWorker(game: GameName): Promise<Client> {
  const worker = new Worker(new URL("../src/engine/worker.js", import.meta.url), { type: "module" });
  return load({ address: addressOf(game), game }, worker);
}

/** A deal of a game for so many players, by chance; options that are left out have their defaults. */
export function newDeal(players: number, options: Deal["options"] = {}): Deal {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const secret = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { options: { ...options, players }, secret, nonces: Array<null>(players).fill(null) };
}

/** Where the module of a game is. Node fetches no files, so there it is read. */
function addressOf(game: GameName): string {
  const place = new URL(`./${game}.wasm`, import.meta.url);
  if (place.protocol !== "file:") return place.href;
  const { readFileSync } = process.getBuiltinModule("node:fs");
  return `data:application/wasm;base64,${readFileSync(place).toString("base64")}`;
}
