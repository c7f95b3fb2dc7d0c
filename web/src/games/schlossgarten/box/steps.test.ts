// Steps are undone and done again.

import { expect, test } from "vitest";
import { begin, redo, step, undo } from "./steps";

test("steps are undone and done again, and a new one ends what could be done again", () => {
  const three = step(step(begin(1), 2), 3);
  expect(undo(three).now).toBe(2);
  expect(undo(undo(three)).now).toBe(1);
  expect(undo(undo(undo(three)))).toEqual({ before: [], now: 1, after: [2, 3] });
  expect(redo(redo(undo(undo(three)))).now).toBe(3);
  expect(redo(three).now).toBe(3);
  const other = step(undo(three), 4);
  expect(other).toMatchObject({ before: [1, 2], now: 4, after: [] });
});

test("without a step to undo or to do again, they are the same steps", () => {
  const steps = begin(1);
  expect(undo(steps)).toBe(steps);
  expect(redo(steps)).toBe(steps);
});

test("steps of one thing are undone together", () => {
  const typed = step(step(step(begin("a"), "ab", "note"), "abc", "note"), "abc!", "other");
  expect(undo(typed).now).toBe("abc");
  expect(undo(undo(typed)).now).toBe("a");
  // After that, typing is a step of its own.
  expect(undo(step(undo(typed), "x", "note")).now).toBe("abc");
});
