import { expect, test } from "vitest";
import type { Deal, DealOptions } from "../core/dealing";
import { dealAgain, promiseOf, sameDeal } from "./fair";

interface Vector {
  options: DealOptions;
  secret: string;
  nonces: (string | null)[];
  commitment: string;
  deal: Deal;
  /** The first deal of the duel, where this is a later one. */
  first?: Deal;
}

/** Deals of the server, by `python -m tests.fair_vectors`. */
const FILES = import.meta.glob<{ default: Vector[] }>("../games/*/deal.vectors.json", { eager: true });
const VECTORS = Object.entries(FILES).flatMap(([path, { default: vectors }]) =>
  vectors.map((vector) => ({ game: path.split("/").at(-2)!, options: JSON.stringify(vector.options), vector })),
);

test("every game that can be dealt here has vectors", () => {
  const dealt = Object.keys(import.meta.glob("../games/*/deal.ts")).map((path) => path.split("/").at(-2));
  expect(new Set(VECTORS.map(({ game }) => game))).toEqual(new Set(dealt));
});

test.each(VECTORS)("$game $options is dealt as the server deals it", async ({ game, vector }) => {
  const { options, secret, nonces, commitment, deal, first } = vector;
  expect(await promiseOf(secret)).toBe(commitment);
  const again = await dealAgain(game, options, secret, nonces, deal, first);
  expect(sameDeal(again!, deal)).toBe(true);
});

test.each(VECTORS)("$game $options comes otherwise with another nonce", async ({ game, vector }) => {
  const { options, secret, nonces, deal, first } = vector;
  const again = await dealAgain(game, options, secret, ["another", ...nonces.slice(1)], deal, first);
  expect(sameDeal(again!, deal)).toBe(false);
});

test("a game that the page can't deal is not checked here", async () => {
  expect(await dealAgain("unheard of", { players: 2 }, "00", [null, null], {})).toBeUndefined();
});

test("the order of a hand does not matter, that of a pile does", () => {
  const deal = { hands: [["a", "b"]], pile: ["c", "d"] };
  expect(sameDeal(deal, { pile: ["c", "d"], hands: [["b", "a"]] })).toBe(true);
  expect(sameDeal(deal, { pile: ["d", "c"], hands: [["a", "b"]] })).toBe(false);
});
