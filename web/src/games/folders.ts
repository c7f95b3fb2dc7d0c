// What the folder of each game brings to the page, loaded when it is first needed. A folder is found by the name of its
// game; a game without one is played on the generic board.

import type { Component } from "svelte";
import type { BoxProps, GamePage, GameRules, ScoreProps, ShownTip } from "../core/game";
import { need } from "../shell/words.svelte";

/** Each takes views of its own game; it is given no others, since both are found by the game's name. */
const SPECS = import.meta.glob<{ default: unknown }>("./*/index.ts");
const RULES = import.meta.glob<{ default: GameRules }>("./*/rules.ts");
const TIPS = import.meta.glob<{ default: unknown }>("./*/tips.json");
const SCORES = import.meta.glob<{ default: Component<ScoreProps> }>("./*/Score.svelte");
const BOXES = import.meta.glob<{ default: Component<BoxProps> }>("./*/Box.svelte");
const GENERIC = "generic";

/** What tables, replays and the coach ask of a game. */
export async function loadGamePage(game: string): Promise<GamePage> {
  const name = `./${game}/index.ts` in SPECS ? game : GENERIC;
  const [spec] = await Promise.all([SPECS[`./${name}/index.ts`]!(), need(name, "table")]);
  return spec.default as GamePage;
}

export function hasRules(game: string): boolean {
  return `./${game}/rules.ts` in RULES;
}

/** The rules page of a game that has one. */
export async function loadRules(game: string): Promise<GameRules> {
  return (await RULES[`./${game}/rules.ts`]!()).default;
}

export function hasTips(game: string): boolean {
  return `./${game}/tips.json` in TIPS;
}

/** The tips of a game; none where it has no file of them. */
export async function loadTips(game: string): Promise<ShownTip[]> {
  return hasTips(game) ? ((await TIPS[`./${game}/tips.json`]!()).default as ShownTip[]) : [];
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

/** Whether a box of the game can be drawn. */
export function hasBoxPage(game: string): boolean {
  return `./${game}/Box.svelte` in BOXES;
}

/** The page on which a box of a game is drawn, where it has one. */
export async function loadBoxPage(game: string): Promise<{ default: Component<BoxProps> }> {
  const [page] = await Promise.all([BOXES[`./${game}/Box.svelte`]!(), need(game, "box", "file")]);
  return page;
}
