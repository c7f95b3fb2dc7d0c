import { expect, test } from "vitest";
import { Chance } from "./chance";

test("the same seed gives the same numbers, another seed others", async () => {
  const draw = async (...seed: string[]) => {
    const chance = await Chance.of(...seed);
    return Array.from({ length: 20 }, () => chance.below(1000));
  };
  expect(await draw("a", "b")).toEqual(await draw("a", "b"));
  expect(await draw("a", "b")).not.toEqual(await draw("a", "c"));
});

test("numbers below n are all drawn, and none other", async () => {
  const chance = await Chance.of("range");
  const drawn = new Set(Array.from({ length: 500 }, () => chance.below(7)));
  expect([...drawn].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test("shuffling keeps every item and leaves the list alone", async () => {
  const items = Array.from({ length: 40 }, (_, i) => i);
  const shuffled = (await Chance.of("shuffle")).shuffled(items);
  expect(shuffled).not.toEqual(items);
  expect(shuffled.toSorted((one, other) => one - other)).toEqual(items);
});
