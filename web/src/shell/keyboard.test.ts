import { expect, test } from "vitest";
import { coveredBy } from "./keyboard";

test.each([
  ["no keyboard", { height: 844, offsetTop: 0, scale: 1 }, 0],
  ["a keyboard", { height: 480, offsetTop: 0, scale: 1 }, 364],
  ["a keyboard, and the browser has moved the page up", { height: 480, offsetTop: 200, scale: 1 }, 164],
  ["moved up as far as can be", { height: 480, offsetTop: 364, scale: 1 }, 0],
  ["a bar of the browser", { height: 790, offsetTop: 0, scale: 1 }, 0],
  ["zoomed into by two fingers", { height: 422, offsetTop: 0, scale: 2 }, 0],
])("%s covers what it covers", (_, view, covered) => {
  expect(coveredBy(view as VisualViewport, 844)).toBe(covered);
});
