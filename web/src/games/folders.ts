// What the folder of each game brings to the page, loaded when it is first needed. A folder is found by the name of its
// game; a game without one is played on the generic board.

import type { Component } from "svelte";
import type { Dealer, OpenPart } from "../core/dealing";
import type { GamePage, GameRules, ScoreProps } from "../core/game";
import { need } from "../shell/words.svelte";

/** Each takes views of its own game; it is given no others, since both are found by the game's name. */
const SPECS = import.meta.glob<{ default: unknown }>("./*/index.ts");
const ATTEMPTS = import.meta.glob("./*/attempts.ts");
const RULES = import.meta.glob<{ default: GameRules }>("./*/rules.ts");
const SCORES = import.meta.glob<{ default: Component<ScoreProps> }>("./*/Score.svelte");
const DEALERS = import.meta.glob<{ default: Dealer; withOpenPart: OpenPart }>("./*/deal.ts");
const GENERIC = "generic";

/** What tables, replays and the coach ask of a game. */
export async function loadGamePage(game: string): Promise<GamePage> {
  const name = `./${game}/index.ts` in SPECS ? game : GENERIC;
  const [spec] = await Promise.all([SPECS[`./${name}/index.ts`]!(), need(name, "table")]);
  return spec.default as GamePage;
}

/** Whether a game can be played where no moves are sent. */
export function hasAttempts(game: string): boolean {
  return `./${game}/attempts.ts` in ATTEMPTS;
}

export function hasRules(game: string): boolean {
  return `./${game}/rules.ts` in RULES;
}

/** The rules page of a game that has one. */
export async function loadRules(game: string): Promise<GameRules> {
  return (await RULES[`./${game}/rules.ts`]!()).default;
}

/** Whether a game that was played with the real box can be counted. */
export function hasScorePage(game: string): boolean {
  return `./${game}/Score.svelte` in SCORES;
}

/** The score page of a game that has one. */
export async function loadScorePage(game: string): Promise<{ default: Component<ScoreProps> }> {
  const [page] = await Promise.all([SCORES[`./${game}/Score.svelte`]!(), need(game, "score", "table")]);
  return page;
}

/** How a game is dealt, and how a deal gets the open part of another one. */
export async function loadDealer(game: string): Promise<{ default: Dealer; withOpenPart: OpenPart } | undefined> {
  return DEALERS[`./${game}/deal.ts`]?.();
}
