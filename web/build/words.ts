// The catalogue of words: src/words/AREA.json and src/games/AREA/words.json hold { key: { en, fr, es, de } }. The page
// loads one language of an area, `virtual:words/LANGUAGE/AREA`, when a page needs it; `virtual:words` lists them all.
// The start page needs the area `first` only. A missing or broken translation ends the build. A message that takes values
// is parsed here, so that the page needs no parser.

import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import type { Plugin } from "vite";

const LANGUAGES = ["en", "fr", "es", "de"] as const;
const SOURCES = resolve(import.meta.dirname, "../src");
const PREFIX = "virtual:words";
const PARSER = "@formatjs/icu-messageformat-parser";
/** What the page needs at once, under the name `first`: these areas, and of each game what its card says. */
const FIRST = ["common", "start"];
const CARD = ["title", "designer", "about"];

type Entry = Record<string, string>;

export function words(): Plugin {
  return {
    name: "words",
    enforce: "pre", // before vite resolves what a module imports
    buildStart() {
      for (const file of files()) this.addWatchFile(file);
      const wrong = files().flatMap((file) => problems(relative(SOURCES, file), read(file)));
      if (wrong.length) this.error(`The catalogue of words is not complete:\n${wrong.join("\n")}`);
    },
    resolveId(id, importer) {
      if (id === PARSER && importer?.includes("/intl-messageformat/"))
        return this.resolve(`${PARSER}/no-parser.js`, importer);
      return id.startsWith(PREFIX) ? `\0${id}` : undefined;
    },
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const [language = "", area = ""] = id.slice(PREFIX.length + 2).split("/");
      return language ? `export default ${JSON.stringify(wordsOf(area, language))}` : listing();
    },
    handleHotUpdate({ file, server }) {
      if (!files().includes(file)) return;
      for (const [id, module] of server.moduleGraph.idToModuleMap) {
        if (id.startsWith(`\0${PREFIX}`)) server.moduleGraph.invalidateModule(module);
      }
      server.ws.send({ type: "full-reload" });
    },
  };
}

function files(): string[] {
  return globSync(["words/*.json", "games/*/words.json"], { cwd: SOURCES })
    .sort()
    .map((name) => join(SOURCES, name));
}

/** The words of an area in a language, by key: a text, or the parts of a message that takes values. */
function wordsOf(area: string, language: string): Record<string, string | MessageFormatElement[]> {
  const words: Record<string, string | MessageFormatElement[]> = {};
  for (const file of files()) {
    for (const [name, entry] of Object.entries(read(file))) {
      if (loadedWith(file, name) === area) {
        words[`${areaOf(file)}.${name}`] = parsed(entry[language] ?? "");
      }
    }
  }
  return words;
}

/** A message as the page formats it. */
export function parsed(message: string): string | MessageFormatElement[] {
  const parts = parse(message, { captureLocation: false });
  const [first] = parts;
  return parts.length === 1 && first?.type === TYPE.literal ? first.value : parts;
}

/** The area that a key is loaded with. */
function loadedWith(file: string, name: string): string {
  const first = basename(file) === "words.json" ? CARD.includes(name) : FIRST.includes(areaOf(file));
  return first ? "first" : areaOf(file);
}

/** The module that says how each area is loaded in each language. */
function listing(): string {
  const areas = [
    "first",
    ...files()
      .map(areaOf)
      .filter((area) => !FIRST.includes(area)),
  ];
  const language = (name: string, area: string) => `${name}: () => import("${PREFIX}/${name}/${area}")`;
  const lines = areas.map((area) => `"${area}": { ${LANGUAGES.map((name) => language(name, area)).join(", ")} }`);
  return `export default { ${lines.join(",\n")} }`;
}

/** What the keys of a file begin with: its name, or that of the game's folder. */
function areaOf(file: string): string {
  const name = basename(file, ".json");
  return name === "words" ? basename(dirname(file)) : name;
}

function read(file: string): Record<string, Entry> {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** What is wrong in the catalogue of one file, a line each. */
export function problems(file: string, catalogue: Record<string, Entry>): string[] {
  const found: string[] = [];
  for (const [key, entry] of Object.entries(catalogue)) {
    const place = `${file}: ${key}`;
    const wanted = names(entry.en ?? "");
    for (const language of LANGUAGES) {
      const text = entry[language];
      if (!text) found.push(`${place} has no ${language}`);
      else {
        try {
          const given = names(text);
          if (given !== wanted) found.push(`${place} takes {${given}} in ${language}, but {${wanted}} in en`);
        } catch (error) {
          found.push(`${place} can't be read in ${language}: ${error}`);
        }
      }
    }
    const others = Object.keys(entry).filter((language) => !(LANGUAGES as readonly string[]).includes(language));
    if (others.length) found.push(`${place} has ${others.join(", ")}, which the page does not speak`);
  }
  return found;
}

/** The placeholders of a message, sorted. */
function names(text: string): string {
  const found = new Set<string>();
  const walk = (elements: MessageFormatElement[]) => {
    for (const element of elements) {
      if (element.type !== TYPE.literal && element.type !== TYPE.pound) found.add(element.value);
      if (element.type === TYPE.plural || element.type === TYPE.select) {
        for (const option of Object.values(element.options)) walk(option.value);
      }
    }
  };
  walk(parse(text));
  return [...found].sort().join(", ");
}
