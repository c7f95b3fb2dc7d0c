// What the page says, in the reader's language. `t("start.title")`; a key that is not in the catalogue is a type error.
// The words of a game stand in its folder, and so does a `t` that takes their keys, too. Each page loads the areas that
// it needs before it is drawn (`need`).

import type { MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { IntlMessageFormat } from "intl-messageformat";
import { untrack } from "svelte";
import catalogues from "virtual:words";
import { at } from "./base";
import { device } from "./store";
import type analysis from "../words/analysis.json";
import type app from "../words/app.json";
import type box from "../words/box.json";
import type coach from "../words/coach.json";
import type common from "../words/common.json";
import type file from "../words/file.json";
import type history from "../words/history.json";
import type mail from "../words/mail.json";
import type me from "../words/me.json";
import type notices from "../words/notices.json";
import type people from "../words/people.json";
import type practice from "../words/practice.json";
import type privacy from "../words/privacy.json";
import type ratings from "../words/ratings.json";
import type puzzles from "../words/puzzles.json";
import type replay from "../words/replay.json";
import type review from "../words/review.json";
import type rights from "../words/rights.json";
import type rules from "../words/rules.json";
import type score from "../words/score.json";
import type setting from "../words/setting.json";
import type share from "../words/share.json";
import type start from "../words/start.json";
import type table from "../words/table.json";
import type today from "../words/today.json";
import type waiting from "../words/waiting.json";

/** The keys of a catalogue, `start.title`. */
export type In<Area extends string, Words> = `${Area}.${Extract<keyof Words, string>}`;
/** The page's own keys. */
export type Key =
  | In<"analysis", typeof analysis>
  | In<"app", typeof app>
  | In<"box", typeof box>
  | In<"coach", typeof coach>
  | In<"common", typeof common>
  | In<"file", typeof file>
  | In<"history", typeof history>
  | In<"mail", typeof mail>
  | In<"me", typeof me>
  | In<"notices", typeof notices>
  | In<"people", typeof people>
  | In<"practice", typeof practice>
  | In<"privacy", typeof privacy>
  | In<"ratings", typeof ratings>
  | In<"puzzles", typeof puzzles>
  | In<"replay", typeof replay>
  | In<"review", typeof review>
  | In<"rights", typeof rights>
  | In<"rules", typeof rules>
  | In<"score", typeof score>
  | In<"setting", typeof setting>
  | In<"share", typeof share>
  | In<"start", typeof start>
  | In<"table", typeof table>
  | In<"today", typeof today>
  | In<"waiting", typeof waiting>;
export type Values = Record<string, string | number>;

export const LANGUAGES = { en: "English", fr: "Français", es: "Español", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

const STORED = "bosquet.language";

interface Spoken {
  language: Language;
  words: Record<string, string | MessageFormatElement[]>;
  /** Whose words these are. */
  areas: ReadonlySet<string>;
  /** The messages that were formatted before. */
  made: Map<string, IntlMessageFormat>;
}

let spoken = $state.raw<Spoken>({ language: "en", words: {}, areas: new Set(), made: new Map() });

/** The language that was chosen before, or the browser's if we speak it. */
export function preferred(): Language {
  const wanted = [device.get(STORED) ?? "", ...navigator.languages].map((tag) => tag.slice(0, 2));
  return (wanted.find((tag) => tag in LANGUAGES) as Language | undefined) ?? "en";
}

/** What is spoken as soon as its words are there. */
let wanted: Language = "en";
/** The areas whose words are needed, in whatever language is spoken. */
const areas = new Set(["first"]);

/** Load a language and speak it from now on. */
export async function speak(language: Language): Promise<void> {
  const before = wanted;
  wanted = language;
  try {
    await load();
  } catch (error) {
    wanted = before;
    throw error;
  }
}

/** Load the words of some areas: of the page, or of a game by its name. Where they are there, nothing is drawn anew. */
export async function need(...more: string[]): Promise<void> {
  for (const area of more) areas.add(area);
  const there = untrack(() => spoken); // what waits for words is not begun again when they come
  if (wanted === there.language && [...areas].every((area) => there.areas.has(area))) return;
  await load();
}

async function load(): Promise<void> {
  const language = wanted;
  const asked = new Set(areas);
  const loaded = await Promise.all([...asked].map((area) => catalogues[area]?.[language]()));
  if (language !== wanted) return load();
  const kept = language === spoken.language ? spoken : { words: {}, made: new Map() };
  const words = Object.assign({}, kept.words, ...loaded.map((module) => module?.default));
  spoken = { language, words, areas: asked, made: kept.made };
  // Browsers work out all styles anew even where it was that already.
  if (document.documentElement.lang !== language) document.documentElement.lang = language;
  document
    .querySelector<HTMLLinkElement>("link[rel=manifest]")
    ?.setAttribute("href", at(`/manifest-${language}.webmanifest`));
}

/** Speak a language and remember it. */
export async function choose(language: Language): Promise<void> {
  await speak(language);
  device.set(STORED, language);
}

export function language(): Language {
  return spoken.language;
}

/** The language with the reader's region where it is known, for times and dates: `en-GB`. */
export function locale(): string {
  return navigator.languages.find((tag) => tag.split("-")[0] === spoken.language) ?? spoken.language;
}

/** Points that are won or lost: `+4`, `−2`, `0`. */
export function signed(points: number): string {
  if (points === 0) return "0";
  return points < 0 ? `−${-points}` : `+${points}`;
}

/** A message of the catalogue. */
export const t: (key: Key, values?: Values) => string = translate;

/** The message of a key that was checked elsewhere: in a game's folder. */
export function translate(key: string, values: Values = {}): string {
  const { words, made, language } = spoken;
  const word = words[key];
  if (word === undefined) reportError(new Error(`no words are loaded for ${key}`));
  if (typeof word !== "object") return word ?? key;
  let format = made.get(key);
  if (!format) made.set(key, (format = new IntlMessageFormat(word, language)));
  return String(format.format(values));
}

export function knows(key: string): boolean {
  return key in spoken.words;
}
