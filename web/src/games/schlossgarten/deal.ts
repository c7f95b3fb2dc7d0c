// Dealing: the landscape, a card each, the rest a pile.

import { type Dealer, type OpenPart, range } from "../../core/dealing";

const CARDS = 32;

const TILES = [17, 16, 16];

export default ((chance, { players }, { deck, tiles, starts }) => {
  const numbers = (tiles as number[] | undefined) ?? TILES;
  const landscape = chance.shuffled(numbers.flatMap((number, i) => Array<number>(number).fill(i + 1)));
  const cards = chance.shuffled(range(CARDS).map((card) => card + 1));
  const dealt = { landscape, hands: cards.slice(0, players), pile: cards.slice(players) };
  const box = Object.entries({ deck, tiles, starts }).filter(([, part]) => part !== undefined);
  return { ...dealt, ...Object.fromEntries(box) };
}) satisfies Dealer;

/** The landscape stays in a duel. */
export const withOpenPart: OpenPart = (dealt, { landscape }) => ({ ...dealt, landscape });
