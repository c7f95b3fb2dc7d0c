// The catalogue of words: src/words/AREA.json and src/games/AREA/words.json hold { key: { en, fr, es, de } }. The page
// loads one language of it, `virtual:words/LANGUAGE`. A missing or broken translation ends the build.

import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import type { Plugin } from "vite";

const LANGUAGES = ["en", "fr", "es", "de"] as const;
const SOURCES = resolve(import.meta.dirname, "../src");
const PREFIX = "virtual:words/";

type Entry = Record<string, string>;

export function words(): Plugin {
  return {
    name: "words",
    buildStart() {
      for (const file of files()) this.addWatchFile(file);
      const wrong = files().flatMap((file) => problems(relative(SOURCES, file), read(file)));
      if (wrong.length) this.error(`The catalogue of words is not complete:\n${wrong.join("\n")}`);
    },
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const language = id.slice(PREFIX.length + 1);
      const all: Entry = {};
      for (const file of files()) {
        for (const [key, entry] of Object.entries(read(file))) all[`${areaOf(file)}.${key}`] = entry[language] ?? "";
      }
      return `export default ${JSON.stringify(all)}`;
    },
    handleHotUpdate({ file, server }) {
      if (!files().includes(file)) return;
      for (const language of LANGUAGES) {
        const module = server.moduleGraph.getModuleById(`\0${PREFIX}${language}`);
        if (module) server.moduleGraph.invalidateModule(module);
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
