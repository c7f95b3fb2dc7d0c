// The games of this server, and what each brings to the page. The server says which games there are; what a folder of
// `games/` brings is found by its name. A game without a folder is played on the generic board.

import type { Component } from "svelte";
import { catalogue } from "../server/api";
import type { Dealer, OpenPart } from "../ending/fair";
import type { GameRules, GamePage } from "./game";
import { knows, need, translate } from "../shell/words.svelte";

/** A game as the server lists it. */
export interface CatalogueEntry {
  name: string;
  title: string;
  /** The numbers of players, the default first. */
  players: number[];
  options: Record<string, GameOption>;
  /** The rows of the cards of its own deck, in a game that can be played with another one. */
  deck?: string[][] | null;
  /** Whether a table can be opened with another box. */
  box?: boolean;
}

export type OptionValue = boolean | number | string;
export interface GameOption {
  values: OptionValue[];
  default: OptionValue;
  /** The numbers of players with which it may have another value. */
  players: number[];
  /** The option in words, where the page has none of its own. */
  help?: string | null;
}

/** Each takes views of its own game; it is given no others, since both are found by the game's name. */
const SPECS = import.meta.glob<{ default: unknown }>("../games/*/index.ts");
const ATTEMPTS = import.meta.glob("../games/*/attempts.ts");
const RULES = import.meta.glob<{ default: GameRules }>("../games/*/rules.ts");
const SCORES = import.meta.glob<{ default: Component }>("../games/*/Score.svelte");
const DEALERS = import.meta.glob<{ default: Dealer; withOpenPart: OpenPart }>("../games/*/deal.ts");
const GENERIC = "generic";

let games: readonly CatalogueEntry[] = [];

/** Ask the server for its games, before the first page is drawn; return whether it is away. Raises ApiError. */
export async function loadGames(): Promise<boolean> {
  const found = await catalogue();
  games = found.games;
  return found.away;
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

/** Why a duel says more than one game, and what stays the same in it, where the game has words for that. */
export function duelWords(game: string): string | undefined {
  return wordsOf(game, "duel");
}

/** Words of a game's folder, where it has them. */
function wordsOf(game: string, name: string): string | undefined {
  const key = `${game}.${name}`;
  return knows(key) ? translate(key) : undefined;
}

/** What tables, replays and the coach ask of a game. */
export async function loadGamePage(game: string): Promise<GamePage> {
  const name = `../games/${game}/index.ts` in SPECS ? game : GENERIC;
  const [spec] = await Promise.all([SPECS[`../games/${name}/index.ts`]!(), need(name, "table")]);
  return spec.default as GamePage;
}

/** Whether a game can be played where no moves are sent. */
export function hasAttempts(game: string): boolean {
  return `../games/${game}/attempts.ts` in ATTEMPTS;
}

export function hasRules(game: string): boolean {
  return `../games/${game}/rules.ts` in RULES;
}

/** The rules page of a game that has one. */
export async function loadRules(game: string): Promise<GameRules> {
  return (await RULES[`../games/${game}/rules.ts`]!()).default;
}

/** Whether a game that was played with the real box can be counted. */
export function hasScorePage(game: string): boolean {
  return `../games/${game}/Score.svelte` in SCORES;
}

/** The score page of a game that has one. */
export async function loadScorePage(game: string): Promise<{ default: Component }> {
  const [page] = await Promise.all([SCORES[`../games/${game}/Score.svelte`]!(), need(game, "score", "table")]);
  return page;
}

/** How a game is dealt, and how a deal gets the open part of another one. */
export async function loadDealer(game: string): Promise<{ default: Dealer; withOpenPart: OpenPart } | undefined> {
  return DEALERS[`../games/${game}/deal.ts`]?.();
}
