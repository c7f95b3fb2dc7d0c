import { beforeEach, expect, test, vi } from "vitest";
import type { CatalogueEntry } from "../client/catalogueEntry";
import type { Grade } from "./puzzleAnswers";

const counts = { easy: 1, medium: 0, hard: 5 };
const puzzles = { address: "/engines/lights.puzzles-1a", counts, part: 2, bytes: 3 };
vi.mock("../core/catalogue", () => ({
  entryOf: (name: string) => (name === "lights" ? ({ name, puzzles } as CatalogueEntry) : undefined),
}));

const HEAD = { format: "bosquet-puzzles/1", games: ["lights"], seed: 1 };
/** The files of the stock; each puzzle is called as its file and its place there. */
const FILES = { "easy.0": 1, "hard.0": 2, "hard.1": 2, "hard.2": 1 };
let head: object;
let fetched: string[];

beforeEach(() => {
  head = HEAD;
  fetched = [];
  vi.resetModules();
  vi.stubGlobal("fetch", (address: string) => {
    fetched.push(address);
    const [, file = ""] = /^\/engines\/lights.puzzles-1a\.(.*)\.jsonl$/.exec(address) ?? [];
    const length = FILES[file as keyof typeof FILES];
    const lines = [head, ...Array.from({ length }, (_, n) => ({ id: `${file}, ${n}` }))];
    return Promise.resolve(new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join("")));
  });
});

async function of(day: string, grade: Grade): Promise<string> {
  const { puzzleOf } = await import("./puzzles");
  return (await puzzleOf({ game: "lights", day, grade })).id;
}

test("the puzzles of a grade follow each other day by day, and then again", async () => {
  const days = ["2026-11-01", "2026-11-02", "2026-11-03", "2026-11-05", "2026-11-06", "2026-10-31"];
  const found = ["hard.0, 0", "hard.0, 1", "hard.1, 0", "hard.2, 0", "hard.0, 0", "hard.2, 0"];
  for (const [n, day] of days.entries()) expect(await of(day, "hard")).toBe(found[n]);
  expect(await of("2026-12-24", "easy")).toBe("easy.0, 0");
  await expect(of("2026-12-24", "medium")).rejects.toThrow("no medium");
  const { filesOf, gradesOf, repeatsAfter } = await import("./puzzles");
  expect([gradesOf("lights"), gradesOf("chess"), repeatsAfter(["lights"])]).toEqual([["easy", "hard"], [], 1]);
  expect(new Set(fetched), "each day's file, and those of no other days").toEqual(new Set(filesOf(puzzles)));
  expect(fetched).toHaveLength(Object.keys(FILES).length);
});

test("a file is fetched once, and again where that failed; another one is refused", async () => {
  head = { ...HEAD, format: "bosquet-puzzles/2" };
  await expect(of("2026-11-01", "hard")).rejects.toThrow("bosquet-puzzles/1");
  head = HEAD;
  await Promise.all([of("2026-11-01", "hard"), of("2026-11-02", "hard")]);
  expect(fetched).toHaveLength(2);
});
