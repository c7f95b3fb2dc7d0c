import { expect, test } from "vitest";
import type { GuideSpec, Tip } from "../../core/game";
import type { View } from "../../client/messages";
import { Lessons } from "./lessons.svelte";

const TIPS: Record<string, Tip[]> = {
  take: [{ words: "take", look: ".cell" }],
  put: [
    { words: "put 1", look: ".hand" },
    { words: "put 2", look: ".hand" },
  ],
};
const guide: GuideSpec = { aim: () => ({ words: "aim", look: ".board" }), tips: ({ phase }) => TIPS[phase] ?? [] };

function at(phase: string, moves = 1): View {
  return { phase, moves: Array(moves).fill({}) } as unknown as View;
}

function words(lessons: Lessons): string[] {
  return lessons.tips.map((tip) => tip.words);
}

test("nothing is said to those who know the game", () => {
  const lessons = new Lessons(guide, false);
  lessons.follow(at("take"));
  expect(lessons.tips).toEqual([]);
});

test("the aim comes before the first tip, and only once", () => {
  const lessons = new Lessons(guide, true);
  lessons.follow(at("take"));
  expect(words(lessons)).toEqual(["aim", "take"]);
  lessons.follow(at("put"));
  expect(words(lessons)).toEqual(["put 1", "put 2"]);
});

test("what is understood is not said again", () => {
  const lessons = new Lessons(guide, true);
  lessons.follow(at("take"));
  lessons.done();
  expect(lessons.tips).toEqual([]);
  lessons.follow(at("put"));
  lessons.next();
  expect(lessons.look).toBe(".hand");
  lessons.follow(at("take"));
  expect(lessons.tips).toEqual([]);
});

test("who skips the lessons is told nothing more", () => {
  const lessons = new Lessons(guide, true);
  lessons.follow(at("take"));
  lessons.skip();
  expect(lessons.tips).toEqual([]);
  lessons.follow(at("put"));
  expect(lessons.tips).toEqual([]);
});

test("while others play nothing is said", () => {
  const lessons = new Lessons(guide, true);
  lessons.follow(at("take", 0));
  expect(lessons.tips).toEqual([]);
});
