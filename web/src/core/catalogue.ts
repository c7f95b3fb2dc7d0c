// The games of this server as it lists them, and what they and their options are called.

import { catalogue } from "../client/api";
import type { CatalogueEntry, OptionValue } from "../client/catalogueEntry";
import { at } from "../shell/base";
import { knows, translate } from "../shell/words.svelte";

let games: readonly CatalogueEntry[] = [];
let away = false;

/** Ask the server for its games, before the first page is drawn; return whether it is away, or there is none. Raises ApiError. */
export async function loadGames(): Promise<boolean> {
  const found = await catalogue();
  games = found.games.map((game) => ({
    ...game,
    engine: game.engine && at(game.engine),
    puzzles: game.puzzles && { ...game.puzzles, address: at(game.puzzles.address) },
    weights: (game.weights ?? []).map((weights) => ({ ...weights, address: at(weights.address) })),
  }));
  away = found.away;
  return away;
}

/** Whether there was no server when it was asked for its games. */
export function isAway(): boolean {
  return away;
}

export function allGames(): readonly CatalogueEntry[] {
  return games;
}

export function entryOf(game: string): CatalogueEntry | undefined {
  return games.find(({ name }) => name === game);
}

export function isGame(name: string): boolean {
  return entryOf(name) !== undefined;
}

export function titleOf(game: string): string {
  return wordsOf(game, "title") ?? entryOf(game)?.title ?? game;
}

export function designerOf(game: string): string | undefined {
  return wordsOf(game, "designer");
}

/** The fewest and the most that can play. */
export function seatsOf(game: string): { least: number; most: number } {
  const numbers = entryOf(game)?.players ?? [2];
  return { least: Math.min(...numbers), most: Math.max(...numbers) };
}

/** An option of a game in words. */
export function optionWords(game: string, option: string): string {
  return wordsOf(game, `option_${option}`) ?? entryOf(game)?.options[option]?.help ?? option;
}

/** What an option does, in a sentence, where the game says more than its name. */
export function optionHelp(game: string, option: string): string | undefined {
  return wordsOf(game, `option_${option}_help`);
}

/** A value of an option in words. */
export function valueWords(game: string, option: string, value: OptionValue): string {
  return wordsOf(game, `option_${option}_${value}`) ?? String(value);
}

/** Who begins by the printed rules, where they name somebody. */
export function firstWords(game: string): string | undefined {
  return wordsOf(game, "first");
}

/** Why a duel says more than one game, and what stays the same in it, where the game has words for that. */
export function duelWords(game: string): string | undefined {
  return wordsOf(game, "duel");
}

/** Words of a game's folder, where it has them. */
function wordsOf(game: string, name: string): string | undefined {
  const key = `${game}.${name}`;
  return knows(key) ? translate(key) : undefined;
}
