// Engines for tests: those of the package, in the thread that asks them.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { vi } from "vitest";
import type { Wire } from "./client.ts";
import { Host } from "./host.ts";
import type { Answer, Request } from "./protocol.ts";

const PACKAGES = new URL("../../../src/bosquet/games/", import.meta.url);
export const moduleOf = (game: string): URL => new URL(`${game}/engine.wasm`, PACKAGES);

/** The games that have an engine. */
export const GAMES = readdirSync(PACKAGES).filter((game) => existsSync(moduleOf(game)));
/** Return a game whose engine has a kernel of this name. */
export function gameWith(kernel: string): string {
  const has = (game: string) =>
    WebAssembly.Module.exports(new WebAssembly.Module(readFileSync(moduleOf(game)))).some(
      ({ name }) => name === kernel,
    );
  return GAMES.find(has)!;
}
/** A game of the server that has none. */
export const FOREIGN = "foreign";

/** A worker in the same thread; what is said is copied as between two of them. */
export class SameThread implements Wire {
  onmessage: Wire["onmessage"] = null;
  private readonly host = new Host((answer) => {
    this.onmessage?.({ data: structuredClone(answer) } as MessageEvent<Answer>);
  });

  postMessage(request: Request): void {
    void this.host.hear(structuredClone(request));
  }

  terminate(): void {
    this.onmessage = null;
  }
}

/** Be a server with the games of the package, and a browser with workers, until all globals are as they were. */
export function serveEngines(): void {
  const games = [...GAMES, FOREIGN].map((name) => ({
    ...{ name, title: name, players: [2, 3, 4], options: {}, pace: 0 },
    engine: name === FOREIGN ? null : `/engines/${name}`,
    engine_hash: name === FOREIGN ? null : `hash of ${name}`,
  }));
  vi.stubGlobal("location", { href: "http://page/" });
  // A page over plain HTTP has nothing else of it.
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  vi.stubGlobal("Worker", SameThread);
  vi.stubGlobal(
    "fetch",
    vi.fn(async (address: string) => {
      if (address === "/api/games") return Response.json(games);
      return new Response(readFileSync(moduleOf(address.replace("http://page/engines/", ""))));
    }),
  );
}
