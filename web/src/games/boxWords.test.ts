// What lies on the table is called as `docs/rules/words.md` has it, in each language.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";

const LANGUAGES = ["en", "fr", "es", "de"] as const;
const NAMES = { en: "English", fr: "French", es: "Spanish", de: "German" };
const DOCUMENT = readFileSync(resolve(import.meta.dirname, "../../../docs/rules/words.md"), "utf8");
const WORDS = import.meta.glob<Record<string, Record<string, string>>>("./*/words.json", {
  eager: true,
  import: "default",
});

interface Cell {
  key: string | undefined;
  language: (typeof LANGUAGES)[number];
  word: string;
  /** Whether it stands in the source of the language. */
  sourced: boolean;
  /** What the same thing must not be called. */
  struck: string | undefined;
}

function cellsOf(section: string): Cell[] {
  const rows = section.split("\n").filter((line) => /^\| (`|\|)/.test(line));
  return rows.flatMap((row) => {
    const [key = "", ...texts] = row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    expect(texts, row).toHaveLength(LANGUAGES.length);
    return texts.map((text, at) => {
      const word = text.replace(/~~.*~~/, "").trim();
      return {
        key: key.replaceAll("`", "") || undefined,
        language: LANGUAGES[at]!,
        word: word.replaceAll("**", ""),
        sourced: word.startsWith("**"),
        struck: /~~(.*)~~/.exec(text)?.[1],
      };
    });
  });
}

/** Whether a text has a word, as a whole or at the beginning of a longer one of its kin. */
function has(text: string, word: string, ending = "\\p{L}*"): boolean {
  return new RegExp(`(?<!\\p{L})${word.replaceAll(" ", `${ending} `)}${ending}(?!\\p{L})`, "iu").test(text);
}

/** The part of a word that its forms share. */
function stem(word: string): string {
  return word.length > 5 ? word.slice(0, -2) : word;
}

const SECTIONS = DOCUMENT.split(/^## /m)
  .slice(1)
  .map((section) => [section.slice(0, section.indexOf("\n")), section] as const);

test("each game has its table", () => {
  expect(SECTIONS.map(([title]) => title).toSorted()).toEqual(
    Object.values(WORDS)
      .flatMap(({ title }) => title?.["en"] ?? [])
      .toSorted(),
  );
});

describe.each(SECTIONS)("%s", (title, section) => {
  const words = Object.values(WORDS).find((one) => one["title"]?.["en"] === title) ?? {};
  const cells = cellsOf(section);
  const said = (language: string): string[] =>
    // A placeholder is no word.
    Object.values(words).map((entry) => (entry[language] ?? "").replace(/\{\w+[,}]/g, " "));

  test("what has a key is called so", () => {
    const wrong = cells.filter(
      ({ key, language, word }) => key && words[key]?.[language]?.toLowerCase() !== word.toLowerCase(),
    );
    expect(wrong).toEqual([]);
  });

  test("the other names occur in the sentences", () => {
    const missing = cells.filter(({ key, language, word }) => {
      const stems = word.split(" ").map(stem).join(" ");
      return !key && !said(language).some((text) => has(text, stems));
    });
    expect(missing).toEqual([]);
  });

  test("a struck word is not used", () => {
    const used = cells.flatMap(({ language, struck }) =>
      struck ? said(language).filter((text) => has(text, struck, "(?:e?s|e?n|r)?")) : [],
    );
    expect(used).toEqual([]);
  });

  test("a word stands in a source only where its language has one", () => {
    const sources = section.slice(0, section.indexOf("\n| key"));
    for (const language of LANGUAGES) {
      const without = new RegExp(`^- ${NAMES[language]}: (?:no source|there is no rulebook)$`, "m").test(sources);
      expect(cells.some((cell) => cell.language === language && cell.sourced)).toBe(!without);
    }
  });
});
