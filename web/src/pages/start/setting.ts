// A table as it is being set, and what is sent to open it.

import { entryOf, type GameOption, type OptionValue } from "../../lib/games";
import { isLevel, type Level, lastLevel, LEVELS, levelName, rememberLevel } from "../../lib/levels";
import type { NewTable, SeatWish } from "../../lib/messages";
import { visitor } from "../../lib/name.svelte";
import { t } from "../../lib/words.svelte";

export const SITTERS = ["me", "here", "friend", ...LEVELS] as const;
export type Sitter = (typeof SITTERS)[number];

export interface Chair {
  sitter: Sitter;
  /** Of somebody at this screen; empty for a stand-in. */
  name: string;
}

export interface Setting {
  game: string;
  chairs: Chair[];
  /** The options of the game apart from how many play, by name. */
  options: Record<string, OptionValue>;
  listed: boolean;
  instant: boolean;
  /** What a box file holds; null for the box of the house. */
  box: Record<string, unknown> | null;
}

/** The options that may be set for so many players. */
export function optionsFor(game: string, players: number): [string, GameOption][] {
  return Object.entries(entryOf(game)?.options ?? {}).filter(([, option]) => option.players.includes(players));
}

/** Me against a bot, the one that was played against last: one more click plays. */
export function settingFor(game: string, bot: Level = lastLevel(game)): Setting {
  const options = Object.entries(entryOf(game)?.options ?? {}).map(([name, option]) => [name, option.default]);
  const chairs = resize(game, [chair("me"), chair(bot)], entryOf(game)?.players[0] ?? 2);
  return { game, chairs, options: Object.fromEntries(options), listed: false, instant: false, box: null };
}

export function chair(sitter: Sitter): Chair {
  return { sitter, name: "" };
}

/** Keep the level of the first bot for the next table of this game. */
export function remember({ game, chairs }: Setting): void {
  const level = chairs.map(({ sitter }) => sitter).find(isLevel);
  if (level) rememberLevel(game, level);
}

/** Put somebody on a chair. There is one of me: whoever I swap with takes my old chair. */
export function seat(chairs: Chair[], index: number, sitter: Sitter): Chair[] {
  const before = chairs[index]?.sitter ?? "friend";
  return chairs.map((one, at) => {
    if (at === index) return { ...one, sitter };
    return sitter === "me" && one.sitter === "me" ? { ...one, sitter: before } : one;
  });
}

/** More chairs get a bot, fewer keep the first ones. */
export function resize(game: string, chairs: Chair[], seats: number): Chair[] {
  const level = chairs.map(({ sitter }) => sitter).findLast(isLevel) ?? lastLevel(game);
  return Array.from({ length: seats }, (_, index) => chairs[index] ?? chair(level));
}

export function newTable({ game, chairs, options, listed, instant, box }: Setting): NewTable {
  const set = optionsFor(game, chairs.length).map(([name, option]) => [name, options[name] ?? option.default]);
  return {
    game: game as NewTable["game"],
    options: { players: chairs.length, ...(Object.fromEntries(set) as Record<string, OptionValue>) },
    seats: chairs.map((one, index) => wish(one, chairs, index)),
    listed: listed && chairs.some(({ sitter }) => sitter === "friend"),
    pace: instant ? "instant" : "human",
    box,
  };
}

function wish({ sitter, name }: Chair, chairs: Chair[], index: number): SeatWish {
  if (sitter === "me") return { kind: "me", name: visitor.spoken };
  if (sitter === "friend") return { kind: "friend" };
  if (sitter === "here") return { kind: "here", name: name.trim() || t("start.neighbour", { n: index + 1 }) };
  const twins = chairs.slice(0, index).filter((one) => one.sitter === sitter).length;
  const called = levelName(sitter);
  return { kind: "bot", bot: sitter, name: twins ? `${called} ${twins + 1}` : called };
}
