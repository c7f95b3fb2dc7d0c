// Dealing: round by round to the hands, a card to start the table, the rest a pile.

import { type Dealer, range } from "../../lib/fair/deal";

const HAND = 3;

export default ((chance, { players }) => {
  const cards = chance.shuffled(gemCards());
  if (players === 1) return { pile: cards };
  const dealt = HAND * players;
  const hands = range(players).map((seat) => range(HAND).map((round) => cards[round * players + seat]));
  return { hands, start: cards[dealt], pile: cards.slice(dealt + 1) };
}) satisfies Dealer;

/** All cards in their order: two colours, two unequal numbers. */
function gemCards(): string[] {
  const colours = [..."BGRY"];
  const cards: string[] = [];
  for (const [i, first] of colours.entries()) {
    for (const second of colours.slice(i + 1)) {
      for (const m of [1, 2, 3]) {
        for (const n of [1, 2, 3]) if (m !== n) cards.push(`${first}${m}${second}${n}`);
      }
    }
  }
  return cards;
}
