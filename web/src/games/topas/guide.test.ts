import { expect, test } from "vitest";
import type { TopasView } from "../../client/messages";
import game from "./index";

function said(view: Partial<TopasView>): string[] {
  return game.guide.tips(view as TopasView).map(({ words }) => words);
}

test("the aim alone is another than that of several players", () => {
  const aim = (players: number) => game.guide.aim({ options: { players } } as unknown as TopasView).words;
  expect(aim(1)).toBe("topas.guide.aim_alone");
  expect(aim(2)).toBe("topas.guide.aim");
});

test("only at a table of the expert variant it is said that rows multiply", () => {
  const lay = (expert: boolean) => said({ phase: "lay", options: { players: 2, expert } });
  expect(lay(true)).toContain("topas.guide.expert");
  expect(lay(false)).not.toContain("topas.guide.expert");
});

test("alone there is one card to lay, and none to choose", () => {
  expect(said({ phase: "lay", options: { players: 1 } })[0]).toBe("topas.guide.lay_alone");
  expect(said({ phase: "lay", options: { players: 2 } })[0]).toBe("topas.guide.lay");
});
