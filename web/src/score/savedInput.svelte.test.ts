import { beforeEach, expect, test } from "vitest";
import { device } from "../shell/store";
import { SavedInput } from "./savedInput.svelte";
import { newPlayers, type Players } from "./players";

interface Entered extends Players {
  expert: boolean;
  placements: string[];
  hands: string[][];
  tiles: Record<string, number>[];
}
const fresh = (): Entered => ({ ...newPlayers(), expert: false, placements: [], hands: [[], []], tiles: [{}, {}] });
const GOOD = { ...fresh(), players: 3, placements: ["a"], hands: [["x"], []], tiles: [{ 1: 2 }, {}] };

function kept(text: string): Entered {
  device.set("bosquet.score.g", text);
  let made: SavedInput<Entered> | undefined;
  const stop = $effect.root(() => {
    made = new SavedInput<Entered>("g", fresh, { placements: [""], hands: [[""]], tiles: [{ "*": 0 }] });
  });
  stop();
  return made!.value;
}

beforeEach(() => device.clear());

test("what was entered is there again", () => expect(kept(JSON.stringify(GOOD))).toEqual(GOOD));

test.each(["", "null", "nonsense{", "7", '"x"', "[]", "{}", "true"])("%j is taken for nothing", (text) =>
  expect(kept(text)).toEqual(fresh()),
);

test.each([
  { players: 0 },
  { players: 5 },
  { players: -1 },
  { players: "2" },
  { names: "Ann" },
  { names: [1] },
  { expert: "yes" },
  { placements: [null] },
  { placements: {} },
  { hands: [[5]] },
  { hands: [null] },
  { tiles: [{ 1: "x" }] },
  { tiles: [{ 1: -3 }] },
  { tiles: null },
])("what has other types is not taken: %j", (wrong) =>
  expect(kept(JSON.stringify({ ...GOOD, ...wrong }))).toEqual(fresh()),
);
