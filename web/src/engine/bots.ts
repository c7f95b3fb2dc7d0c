// What bots play: each move is that of the bot in Python with the same seed, where a search is bounded by simulations
// and uses one engine.

import type { Client } from "./client.ts";
import type { Settings } from "./players.ts";

/** Engines of one search at most: each takes 10 to 40 MB. */
export const MOST_ENGINES = 4;

/**
 * Return the move that a search finds for the seat to move. The first of the clients has the game; the others have its
 * engine, too, and get what the seat may know only. Raises EngineError.
 */
export async function chosenMove(
  clients: readonly [Client, ...Client[]],
  seed: string,
  settings: Settings,
  signal?: AbortSignal,
): Promise<string> {
  const [first] = clients;
  const known = await first.ask("known", null, signal);
  if (known !== null) return known;
  const used = clients.slice(0, MOST_ENGINES);
  const tasks = await first.ask("tasks", { seed, engines: used.length }, signal);
  const found = await Promise.all(tasks.map((task, i) => used[i]!.ask("search", { task, settings }, signal)));
  const { move } = await first.ask("choose", { found }, signal);
  return move;
}

/** Return the move that a bot makes for the seat to move, as it does in Python at a table with this secret. */
export async function botMove(
  clients: readonly [Client, ...Client[]],
  bot: string,
  signal?: AbortSignal,
): Promise<string> {
  const [first] = clients;
  const { seed, player } = await first.ask("decision", { bot }, signal);
  if (player === "random" || player === "greedy") return first.ask(player, { seed }, signal);
  if ("cards" in player) return first.ask("ahead", player, signal);
  return chosenMove([first, ...clients.slice(1, player.engines)], seed, player.settings, signal);
}
