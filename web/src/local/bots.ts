// What the bots of a local table choose: the levels search as their namesakes at a server do.

import { entryOf } from "../core/catalogue";
import { isLevel, LEVELS } from "../core/levels";
import { chosenMove } from "../engine/bots";
import type { Client } from "../engine/client";
import type { Settings } from "../engine/protocol";

/** Seconds that the champion searches. */
const SECONDS = 1;

/** The settings with which a bot searches; undefined for one that does not. */
export function settingsOf(game: string, bot: string): Settings | undefined {
  const levels = entryOf(game)?.levels ?? [];
  if (!isLevel(bot)) return undefined;
  const level = levels[LEVELS.indexOf(bot)];
  if (level) return { simulations: level.simulations, candidateDropout: level.candidate_dropout };
  return { simulations: levels.at(-1)?.simulations ?? 1, seconds: SECONDS, stopEarly: true };
}

/** Seconds that a bot takes for a move where people watch. */
export function paceOf(game: string): number {
  return entryOf(game)?.pace ?? 1;
}

/** The move of a bot for the seat to move. The seed is used for nothing else. Raises EngineError. */
export async function choose(
  client: Client,
  game: string,
  bot: string,
  seed: string,
  signal: AbortSignal,
): Promise<string> {
  if (bot === "greedy") return client.ask("greedy", { seed }, signal);
  const settings = settingsOf(game, bot);
  if (settings) return chosenMove([client], seed, settings, signal);
  const legal = await client.ask("legal", null, signal);
  return legal[Math.floor(Math.random() * legal.length)]!;
}
