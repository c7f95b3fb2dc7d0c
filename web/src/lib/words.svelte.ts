// What the page says, in the reader's language. `t("topiary.place")`; a key that is not in the catalogue is a type error.

import { IntlMessageFormat } from "intl-messageformat";
import type coach from "../words/coach.json";
import type common from "../words/common.json";
import type replay from "../words/replay.json";
import type rules from "../words/rules.json";
import type schlossgarten from "../words/schlossgarten.json";
import type score from "../words/score.json";
import type start from "../words/start.json";
import type table from "../words/table.json";
import type topas from "../words/topas.json";
import type topiary from "../words/topiary.json";

type In<Area extends string, Words> = `${Area}.${Extract<keyof Words, string>}`;
export type Key =
  | In<"coach", typeof coach>
  | In<"common", typeof common>
  | In<"replay", typeof replay>
  | In<"rules", typeof rules>
  | In<"schlossgarten", typeof schlossgarten>
  | In<"score", typeof score>
  | In<"start", typeof start>
  | In<"table", typeof table>
  | In<"topas", typeof topas>
  | In<"topiary", typeof topiary>;

export const LANGUAGES = { en: "English", fr: "Français", es: "Español", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

const CATALOGUES: Record<Language, () => Promise<{ default: Record<string, string> }>> = {
  en: () => import("virtual:words/en"),
  fr: () => import("virtual:words/fr"),
  es: () => import("virtual:words/es"),
  de: () => import("virtual:words/de"),
};
const STORED = "bosquet.language";

let spoken = $state.raw<{ language: Language; words: Record<string, string>; made: Map<string, IntlMessageFormat> }>({
  language: "en",
  words: {},
  made: new Map(),
});

/** The language that was chosen before, or the browser's if we speak it. */
export function preferred(): Language {
  const wanted = [localStorage.getItem(STORED) ?? "", ...navigator.languages].map((tag) => tag.slice(0, 2));
  return (wanted.find((tag) => tag in LANGUAGES) as Language | undefined) ?? "en";
}

/** Load a language and speak it from now on. */
export async function speak(language: Language): Promise<void> {
  const { default: words } = await CATALOGUES[language]();
  spoken = { language, words, made: new Map() };
  document.documentElement.lang = language;
}

/** Speak a language and remember it. */
export async function choose(language: Language): Promise<void> {
  localStorage.setItem(STORED, language);
  await speak(language);
}

export function language(): Language {
  return spoken.language;
}

/** Points that are won or lost: `+4`, `−2`, `0`. */
export function signed(points: number): string {
  if (points === 0) return "0";
  return points < 0 ? `−${-points}` : `+${points}`;
}

/** A message of the catalogue. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  const { words, made, language } = spoken;
  let format = made.get(key);
  if (!format) {
    format = new IntlMessageFormat(words[key] ?? key, language);
    made.set(key, format);
  }
  return String(format.format(values));
}
