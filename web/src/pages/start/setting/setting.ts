// A table as it is being set, and what is sent to open it.

import { entryOf, isAway } from "../../../core/catalogue";
import type { GameOption, OptionValue } from "../../../client/catalogueEntry";
import { isLevel, type Level, lastLevel, LEVELS, levelName, rememberLevel } from "../../../core/levels";
import type { Clock, NewTable, SeatWish, Slow } from "../../../client/messages";
import { visitor } from "../../../shell/name.svelte";
import { device } from "../../../shell/store";
import { t } from "../../../shell/words.svelte";

export type Assistance = NonNullable<NewTable["assistance"]>;
const ASSISTANCES: readonly Assistance[] = ["full", "plain", "none"];
const ASSISTANCE = "bosquet.assistance";

/** Minutes for the game and seconds for each turn, as they may be chosen. */
export const CLOCKS: readonly (readonly [minutes: number, increment: number])[] = [
  [3, 5],
  [5, 10],
  [10, 15],
  [20, 20],
  [30, 30],
  [60, 60],
];
export const DAYS: readonly Slow["days"][] = [1, 3, 7];
const SITTERS = ["me", "here", "friend", ...LEVELS] as const;
export type Sitter = (typeof SITTERS)[number];

/** Who may be chosen for a seat: friends come by link only where there is a server. */
export function sittersNow(): readonly Sitter[] {
  return isAway() ? SITTERS.filter((one) => one !== "friend") : SITTERS;
}

export type First = NonNullable<NewTable["first"]>;

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
  /** Who begins: the one on a chair, by lot, or as those at one screen say once they have sat down. */
  first: First;
  listed: boolean;
  /** Whether the start page lists it for anybody to watch. */
  watched: boolean;
  instant: boolean;
  /** How many days a turn has, where friends come by link; null at one sitting. */
  days: Slow["days"] | null;
  /** What a bot does when that time is over, and which one. */
  untilBack: boolean;
  lateBot: Level;
  /** Which of `CLOCKS` each seat has, at one sitting; null for none. */
  clock: number | null;
  /** The bot that plays on when the time is up; null where the game is lost then. */
  clockBot: Level | null;
  /** Whether as many games are played as there are seats, and their points together decide. */
  duel: boolean;
  /** Whether this screen is the table for all, and everybody plays on a phone. */
  screen: boolean;
  /** What is shown before a move, once it was chosen. */
  assistance: Assistance | null;
  /** What a box file holds; null for the box of the house. */
  box: Record<string, unknown> | null;
}

/** The options that may be set for a number of players. */
export function optionsFor(game: string, players: number): [string, GameOption][] {
  return Object.entries(entryOf(game)?.options ?? {}).filter(([, option]) => option.players.includes(players));
}

/** Me against a bot, the one that was played against last: one more click plays. */
export function settingFor(game: string, bot: Level = lastLevel(game)): Setting {
  const options = Object.entries(entryOf(game)?.options ?? {}).map(([name, option]) => [name, option.default]);
  const chairs = resize(game, [chair("me"), chair(bot)], entryOf(game)?.players[0] ?? 2);
  return {
    game,
    chairs,
    options: Object.fromEntries(options),
    first: "lot",
    listed: false,
    watched: false,
    instant: false,
    days: null,
    untilBack: false,
    lateBot: bot,
    clock: null,
    clockBot: null,
    duel: false,
    screen: false,
    assistance: null,
    box: null,
  };
}

/** Me against a friend, who comes by invitation. */
export function settingForTwo(game: string): Setting {
  return { ...settingFor(game), chairs: [chair("me"), chair("friend")] };
}

/** Who may be chosen to begin: those who are known by now, or at one screen the one who is named. */
export function firstsFor({ chairs, screen, listed }: Setting): First[] {
  if (listed && (screen || hasFree(chairs))) return ["lot"];
  const isKnown = ({ sitter }: Chair): boolean => {
    if (isLevel(sitter)) return true;
    return !screen && (sitter !== "friend" || chairs.filter((one) => one.sitter === "friend").length === 1);
  };
  const known = chairs.flatMap((one, index) => (isKnown(one) ? [index] : []));
  const together = screen || chairs.some(({ sitter }) => sitter === "here");
  return ["lot", ...known, ...(together ? (["open"] as const) : [])];
}

/** Who begins: what was chosen, as long as it can be. */
export function firstOf(setting: Setting): First {
  return firstsFor(setting).find((one) => one === setting.first) ?? "lot";
}

function hasFree(chairs: Chair[]): boolean {
  return chairs.some(({ sitter }) => sitter === "friend");
}

/** What a table of a game may show before a move: nothing, where its board can be played without. */
export function assistancesFor(game: string): readonly Assistance[] {
  return entryOf(game)?.attempts ? ASSISTANCES : ASSISTANCES.filter((one) => one !== "none");
}

/** What is shown before a move: what was chosen, else as alone the last time; among people only what is allowed. */
export function assistanceOf({ game, assistance, chairs, screen }: Setting): Assistance {
  if (assistance) return assistance;
  if (screen || isAmongPeople(chairs)) return "plain";
  return assistancesFor(game).find((one) => one === device.get(ASSISTANCE)) ?? "full";
}

function isAmongPeople(chairs: Chair[]): boolean {
  return chairs.filter(({ sitter }) => !isLevel(sitter)).length > 1;
}

export function chair(sitter: Sitter): Chair {
  return { sitter, name: "" };
}

/** Keep the level of the first bot for the next table of this game, and what somebody alone is shown for the next one. */
export function remember({ game, chairs, assistance }: Setting): void {
  if (assistance && !isAmongPeople(chairs)) device.set(ASSISTANCE, assistance);
  const level = chairs.map(({ sitter }) => sitter).find(isLevel);
  if (level) rememberLevel(game, level);
}

/** Put somebody on a chair. There is one of me: a sitter whom I swap with takes my old chair. */
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

export function newTable(setting: Setting): NewTable {
  const { game, options, listed, watched, instant, duel, box } = setting;
  const chairs = setting.screen ? withPhones(setting.chairs) : setting.chairs;
  const set = optionsFor(game, chairs.length).map(([name, option]) => [name, options[name] ?? option.default]);
  return {
    game: game as NewTable["game"],
    options: { players: chairs.length, ...(Object.fromEntries(set) as Record<string, OptionValue>) },
    seats: chairs.map((one, index) => wish(one, chairs, index)),
    first: firstOf(setting),
    listed: listed && hasFree(chairs),
    watched,
    pace: instant ? "instant" : "human",
    slow: slowOf(setting),
    clock: clockOf(setting),
    duel: duel && chairs.length > 1,
    assistance: assistanceOf(setting),
    box,
  };
}

/** Whether it can be played on this device, by those at this screen and bots. */
export function mayBeHere(setting: Setting): boolean {
  return (
    !hasFree(setting.chairs) &&
    !setting.screen &&
    !setting.watched &&
    !clockOf(setting) &&
    Boolean(entryOf(setting.game)?.engine)
  );
}

/** How slowly it is played: only friends who come by link take days. */
function slowOf({ chairs, screen, days, untilBack, lateBot }: Setting): Slow | null {
  if (days === null || !maySlow(chairs, screen)) return null;
  return { days, bot: lateBot, until_back: untilBack };
}

export function maySlow(chairs: Chair[], screen: boolean): boolean {
  return !screen && hasFree(chairs);
}

/** The clocks: with somebody to play against, at one sitting, and where a server keeps them. */
function clockOf(setting: Setting): Clock | null {
  const [minutes, increment] = CLOCKS[setting.clock ?? -1] ?? [];
  if (minutes === undefined || !mayClock(setting)) return null;
  return { minutes, increment: increment ?? 0, bot: setting.clockBot };
}

export function mayClock(setting: Setting): boolean {
  const people = setting.chairs.some(({ sitter }) => !isLevel(sitter));
  return !isAway() && setting.chairs.length > 1 && people && !slowOf(setting);
}

/** Everybody but the bots comes with a phone. */
function withPhones(chairs: Chair[]): Chair[] {
  return chairs.map((one) => (isLevel(one.sitter) ? one : chair("friend")));
}

function wish({ sitter, name }: Chair, chairs: Chair[], index: number): SeatWish {
  if (sitter === "me") return { kind: "me", name: visitor.spoken };
  if (sitter === "friend") return { kind: "friend" };
  if (sitter === "here") return { kind: "here", name: name.trim() || t("start.neighbour", { n: index + 1 }) };
  const twins = chairs.slice(0, index).filter((one) => one.sitter === sitter).length;
  const called = levelName(sitter);
  return { kind: "bot", bot: sitter, name: twins ? `${called} ${twins + 1}` : called };
}
