// The rules pages tell every ruling of docs/rules: each number is told by a chapter, or is marked as not for players.

import { globSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { GameRules } from "../core/game";

const DOCUMENTS = resolve(import.meta.dirname, "../../../docs/rules");
const LANGUAGES = ["en", "fr", "es", "de"];
const RULES = import.meta.glob<GameRules>("./*/rules.ts", { eager: true, import: "default" });
const WORDS = Object.fromEntries(
  Object.entries(
    import.meta.glob<Record<string, Record<string, string>>>(["./*/words.json", "../words/*.json"], {
      eager: true,
      import: "default",
    }),
  ).flatMap(([file, words]) => {
    const area = file.startsWith("../") ? basename(file, ".json") : file.split("/")[1]!;
    return Object.entries(words).map(([key, entry]) => [`${area}.${key}`, entry]);
  }),
);
/** The chapter that has the rulings of the house. */
const HOUSE = "house";

/** The rulings of a document by number, each with its text. */
function rulingsOf(game: string): Map<string, string> {
  const text = readFileSync(resolve(DOCUMENTS, `${game}.md`), "utf8");
  const items = text.split(/^- \*\*(?=\d+\.\d+\*\*)/m).slice(1);
  return new Map(items.map((item) => [item.slice(0, item.indexOf("*")), item.split(/^(?:```|#)/m)[0]!]));
}

test("every rules page has its rulings", () => {
  const documents = globSync("*.md", { cwd: DOCUMENTS }).map((file) => basename(file, ".md"));
  const pages = Object.keys(RULES).map((file) => file.split("/")[1]!);
  expect(documents).toEqual(expect.arrayContaining(pages));
});

describe.each(Object.entries(RULES))("%s", (file, { chapters, untold }) => {
  const rulings = rulingsOf(file.split("/")[1]!);
  const paragraphs = chapters.flatMap((chapter) => chapter.paragraphs.map((said) => ({ ...said, in: chapter.name })));
  const scenes = chapters.flatMap((chapter) => chapter.scene ?? []);
  const told = new Set([...paragraphs, ...scenes].flatMap((said) => said.rulings ?? []));

  test("a chapter tells every ruling, or the ruling is not for players", () => {
    const silent = [...rulings.keys()].filter((number) => !told.has(number) && !(number in untold));
    expect(silent).toEqual([]);
  });

  test("what is not for players is told by no chapter, and a reason is given", () => {
    expect(Object.keys(untold).filter((number) => told.has(number))).toEqual([]);
    expect(Object.values(untold).filter((reason) => !reason)).toEqual([]);
  });

  test("every number that is named is one of a ruling", () => {
    expect([...told, ...Object.keys(untold)].filter((number) => !rulings.has(number))).toEqual([]);
  });

  test("every paragraph tells a ruling", () => {
    expect(paragraphs.filter((said) => !said.rulings.length).map((said) => said.words)).toEqual([]);
  });

  test("a ruling of the house is told as one", () => {
    const asHouse = paragraphs.filter((said) => said.in === HOUSE).flatMap((said) => said.rulings);
    const ofHouse = [...rulings].filter(([, text]) => text.includes("*House")).map(([number]) => number);
    expect(ofHouse.filter((number) => !asHouse.includes(number) && !(number in untold))).toEqual([]);
  });

  test("every language has the words", () => {
    const keys = [...chapters.map(({ title }) => title), ...paragraphs.map(({ words }) => words)];
    const missing = [...keys, ...scenes.map(({ say }) => say)].flatMap((key) =>
      LANGUAGES.filter((language) => !WORDS[key]?.[language]).map((language) => `${key} in ${language}`),
    );
    expect(missing).toEqual([]);
  });
});
