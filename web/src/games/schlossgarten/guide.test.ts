import { expect, test } from "vitest";
import type { SchlossgartenView } from "../../client/messages";
import game from "./index";
import words from "./words.json";

function said(view: Partial<SchlossgartenView>): string[] {
  return game.guide.tips(view as SchlossgartenView).map(({ words }) => words);
}

test("the option who works changes what is said of the work, and nothing else", () => {
  const one = { work: "one" };
  const each = { work: "each" };
  expect(said({ phase: "work", options: one })).toContain("schlossgarten.guide.work_1");
  expect(said({ phase: "work", options: each })).toContain("schlossgarten.guide.work_each");
  expect(said({ phase: "build", options: one })).toEqual(["schlossgarten.guide.build_1", "schlossgarten.guide.over"]);
  expect(said({ phase: "build", options: each })).toEqual([
    "schlossgarten.guide.build_each",
    "schlossgarten.guide.over",
  ]);
  expect(said({ phase: "move", options: each })).toEqual(said({ phase: "move", options: one }));
});

test("what may not be entered, shifting, hits and building over are said before they can happen", () => {
  const inEnglish = (phase: SchlossgartenView["phase"], work: string): string =>
    said({ phase, options: { work } })
      .map((key) => words[key.replace("schlossgarten.", "") as keyof typeof words].en)
      .join(" ");
  for (const work of ["one", "each"]) {
    for (const word of ["barred", "shifts", "may hit", "can be hit"]) expect(inEnglish("move", work)).toContain(word);
    for (const phase of ["work", "build"]) expect(inEnglish(phase, work)).toContain("smaller elements");
  }
});
