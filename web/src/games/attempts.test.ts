import { expect, test } from "vitest";
import type { Move, View } from "../server/messages";

interface Vector {
  view: View;
  legal: string[];
}

/** Positions of the server, by `python -m tests.attempt_vectors`. */
const FILES = import.meta.glob<{ default: Vector[] }>("./*/attempts.vectors.json", { eager: true });
const ATTEMPTS = import.meta.glob<{ default: (view: View) => Move[] }>("./*/attempts.ts", { eager: true });
const VECTORS = Object.entries(FILES).flatMap(([path, { default: vectors }]) =>
  vectors.map((vector, i) => ({ game: path.split("/").at(-2)!, i, vector })),
);

test("every game that can be played without moves has positions", () => {
  expect(Object.keys(FILES).map((path) => path.replace(".vectors.json", ".ts"))).toEqual(Object.keys(ATTEMPTS));
});

test.for(VECTORS)("every legal move can be tried, and others: $game $i", ({ game, vector: { view, legal } }) => {
  const tried = ATTEMPTS[`./${game}/attempts.ts`]!.default(view).map(({ say }) => say);
  expect(legal.filter((say) => !tried.includes(say))).toEqual([]);
  expect(new Set(tried).size).toBe(tried.length);
});

test.for(Object.keys(ATTEMPTS))("what can be tried does not follow the rules: %s", (path) => {
  const vectors = FILES[path.replace(".ts", ".vectors.json")]!.default;
  const more = vectors.filter(({ view, legal }) => ATTEMPTS[path]!.default(view).length > legal.length);
  expect(more.length).toBeGreaterThan(0);
});
