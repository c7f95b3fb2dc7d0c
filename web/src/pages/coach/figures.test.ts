import { beforeEach, expect, test } from "vitest";
import type { GamePage } from "../../core/game";
import type { Decision } from "../../client/messages";
import { need, speak } from "../../shell/words.svelte";
import { bothWords, givenAway, noneWords, whyWords } from "./figures";

beforeEach(async () => {
  await speak("en");
  await need("coach", "table");
});

function choice(say: string, ...wins: number[]): Decision["made"] {
  return { moves: [say], data: [{ say }], wins, points: wins } as unknown as Decision["made"];
}

/** Another choice than the best one was made, and no chance was lost; the best one has some chance to win. */
function harmless(chance: number, loss_points: number): Decision {
  const best = [choice("a", chance, 1 - chance)];
  const made = choice("b", chance, 1 - chance);
  return { ply: 0, seat: 0, made, best, loss: 0, loss_points, hindsight: 0, reason: null };
}

test("only the first of the best choices is the best that was found", () => {
  const { made, best, ...rest } = harmless(0.5, 0);
  const first = { ...rest, made: structuredClone(best[0]!), best };
  expect(whyWords(first)).toBe("This was the best move the coach found.");
  expect(whyWords({ ...rest, made, best: [...best, made] })).toContain("As good as the best,");
});

test.each([0, 0.02, 0.98, 1])("with a chance of %d the game is decided, and the points are told", (chance) => {
  expect(whyWords(harmless(chance, 13.2))).toBe("The game was decided; the best move had 13 points more.");
  expect(whyWords(harmless(chance, 1))).toContain("had 1 point more.");
  expect(whyWords(harmless(chance, 0.9))).toContain("As good as the best,");
});

test("points are given away only where no chance is lost in a decided game of several", () => {
  expect(givenAway(harmless(0.01, 13))).toBe(13);
  for (const chance of [0.03, 0.97]) expect(givenAway(harmless(chance, 13))).toBe(0);
  expect(givenAway({ ...harmless(0.99, 13), loss: 0.3 })).toBe(0);
  expect(givenAway({ ...harmless(0, 13), made: choice("b", 1), best: [choice("a", 1)] })).toBe(0);
});

test("where no decision was costly, points given away in a decided game are told", () => {
  expect(noneWords([harmless(0.5, 9)])).toBe("No decision cost anything measurable.");
  expect(noneWords([harmless(0.99, 13), harmless(0.5, 9), harmless(1, 2)])).toContain("15 points were given away");
});

test("what was better is said to be elsewhere where it has the same words", () => {
  const game = { log: { words: ({ say }: { say: string }) => say.slice(0, 4) } } as unknown as GamePage;
  const decision = (made: string, better: string) => ({
    ...harmless(0.5, 0),
    made: choice(made),
    best: [choice(better)],
  });
  expect(bothWords(game, decision("Tile a1", "Tile b2"))).toEqual({ made: "Tile", better: "Tile, at another place" });
  expect(bothWords(game, decision("Tile a1", "King"))).toEqual({ made: "Tile", better: "King" });
});
