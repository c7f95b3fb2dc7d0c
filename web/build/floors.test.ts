// How the folders of src/ lie above each other: a module imports from its own folder and from those below, and no two
// import each other in a circle. Types, what is loaded later and what a glob finds are imports, too.

import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

/** From the lowest floor upwards. Folders of one floor do not import each other. */
const FLOORS = [
  ["words"],
  ["shell"],
  ["ui"],
  ["client"],
  ["engine"],
  ["core"],
  ["local"],
  ["score"],
  ["games"],
  ["ending"],
  ["panel"],
  ["play", "waiting"],
  ["pages"],
  ["App.svelte", "worker"],
  ["main.ts"],
];
const SOURCES = resolve(import.meta.dirname, "../src");
const ADDRESS = /["'](\.\.?\/[^"'\s]+)["']/g;
const ENDS = ["", ".ts", ".svelte", "/index.ts"];

/** What each module imports, by their paths in src/. */
type Imports = ReadonlyMap<string, readonly string[]>;

function pageImports(): Imports {
  const modules = globSync("**/*.{ts,svelte}", { cwd: SOURCES });
  return new Map(modules.map((path) => [within(join(SOURCES, path)), importsOf(join(SOURCES, path))]));
}

/** What a file imports from src/, styles aside. Raises Error where nothing is at an address. */
function importsOf(file: string): string[] {
  const addresses = [...readFileSync(file, "utf8").matchAll(ADDRESS)].map(([, address]) => address!);
  return addresses
    .flatMap((address) => filesAt(dirname(file), address))
    .map(within)
    .filter((path) => !path.startsWith("..") && !path.endsWith(".css"));
}

function filesAt(folder: string, address: string): string[] {
  if (address.includes("*")) return globSync(address, { cwd: folder }).map((path) => join(folder, path));
  const found = ENDS.map((end) => join(folder, address + end)).find((path) => existsSync(path));
  if (!found) throw new Error(`${folder}: there is no ${address}`);
  return [found];
}

function within(file: string): string {
  return relative(SOURCES, file).replaceAll("\\", "/");
}

/** Imports that do not lead to the same folder or to one below it. */
function upwards(imports: Imports): string[] {
  const floor = (path: string) => FLOORS.findIndex((folders) => folders.includes(top(path)));
  return [...imports].flatMap(([path, others]) =>
    others
      .filter((other) => top(other) !== top(path) && !(floor(other) >= 0 && floor(other) < floor(path)))
      .map((other) => `${path} imports ${other}`),
  );
}

/** Imports from the folder of one game in that of another, or in what finds all games. */
function betweenGames(imports: Imports): string[] {
  const game = (path: string) => /^games\/(\w+)\//.exec(path)?.[1];
  return [...imports].flatMap(([path, others]) =>
    others
      .filter((other) => game(path) && top(other) === "games" && game(other) !== game(path))
      .map((other) => `${path} imports ${other}`),
  );
}

function top(path: string): string {
  return path.split("/")[0]!;
}

/** The modules of a circle in the order in which they import each other, if there is one. */
function circle(imports: Imports): string[] | undefined {
  const done = new Set<string>();
  const along = (path: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const other of imports.get(path) ?? []) {
      const found = along(other, [...way, path]);
      if (found) return found;
    }
    done.add(path);
    return undefined;
  };
  for (const path of imports.keys()) {
    const found = along(path, []);
    if (found) return found;
  }
  return undefined;
}

const PAGE = pageImports();

test("every folder stands on a floor", () => {
  expect([...new Set([...PAGE.keys()].map(top))].filter((folder) => !FLOORS.flat().includes(folder))).toEqual([]);
});

test("imports run downwards", () => expect(upwards(PAGE)).toEqual([]));

test("no game imports another one", () => expect(betweenGames(PAGE)).toEqual([]));

test("no modules import each other in a circle", () => expect(circle(PAGE)).toBeUndefined());

test("an import upwards, sideways or from an unknown folder would be found", () => {
  const wrong = ["pages/Start.svelte", "waiting/Invitation.svelte", "unheard/of.ts"];
  expect(upwards(new Map([["play/Head.svelte", [...wrong, "play/Ring.svelte", "ui/Qr.svelte"]]]))).toEqual(
    wrong.map((other) => `play/Head.svelte imports ${other}`),
  );
});

test("an import between games would be found", () => {
  const imports = new Map([["games/one/index.ts", ["games/one/words.ts", "games/other/words.ts", "games/folders.ts"]]]);
  expect(betweenGames(imports)).toEqual([
    "games/one/index.ts imports games/other/words.ts",
    "games/one/index.ts imports games/folders.ts",
  ]);
});

test("a circle would be found", () => {
  const imports = { a: ["b", "c"], b: ["d"], c: ["b"], d: ["e", "c"], e: [] };
  expect(circle(new Map(Object.entries(imports)))).toEqual(["b", "d", "c", "b"]);
});
