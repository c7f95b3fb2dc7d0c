import { expect, test } from "vitest";
import type { SchlossgartenView } from "../../server/messages";
import game from "./index";

function said(view: Partial<SchlossgartenView>): string[] {
  return game.guide.tips(view as SchlossgartenView).map(({ words }) => words);
}

test("the option who works changes what is said of the work, and nothing else", () => {
  const one = { work: "one" };
  const each = { work: "each" };
  expect(said({ phase: "work", options: one })).toContain("schlossgarten.guide.work_1");
  expect(said({ phase: "work", options: each })).toContain("schlossgarten.guide.work_each");
  expect(said({ phase: "build", options: one })).toEqual(["schlossgarten.guide.build_1"]);
  expect(said({ phase: "build", options: each })).toEqual(["schlossgarten.guide.build_each"]);
  expect(said({ phase: "move", options: each })).toEqual(said({ phase: "move", options: one }));
});
