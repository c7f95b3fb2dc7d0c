import { expect, test } from "vitest";
import type { TopiaryView } from "../../client/messages";
import game from "./index";

function said(view: Partial<TopiaryView>): string[] {
  return game.guide.tips(view as TopiaryView).map(({ words }) => words);
}

test("in the draft the first player passes no tiles on", () => {
  expect(said({ phase: "draft", viewer: 0 })).toEqual(["topiary.guide.draft_first"]);
  expect(said({ phase: "draft", viewer: 1 })).toEqual(["topiary.guide.draft"]);
});

test("nothing is said of a phase that needs no words", () => {
  expect(said({ phase: "over", viewer: 0 })).toEqual([]);
});
