import { beforeAll, expect, test } from "vitest";
import type { Hinted } from "../client/givenHint";
import { need } from "../shell/words.svelte";
import { whyWords } from "./hintWords";

beforeAll(() => need("table"));

const choice = (win: number, points: number): Hinted => ({ moves: [], data: [], win, points });

test("a choice is told by what tells it from the others", () => {
  const choices = [choice(0.731, 67), choice(0.64, 64.8), choice(0.46, 68)];
  expect(whyWords(choices, 0)).toBe("2.2 points more than the next · wins 73 of 100 games from here");
  expect(whyWords(choices, 1)).toBe("2.2 points fewer than the first · wins 64 of 100 games from here");
  expect(whyWords(choices, 2)).toBe(
    "1 points more than the first, but the smaller chance · wins 46 of 100 games from here",
  );
});

test("a small chance never stands alone", () => {
  expect(whyWords([choice(0.02, 31)], 0)).toBe("31 points in the end · wins 2 of 100 games from here");
  expect(whyWords([choice(0.02, 31), choice(0.01, 31)], 0)).toContain("31 points in the end");
});
