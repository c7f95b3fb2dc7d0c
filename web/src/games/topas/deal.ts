// Dealing: round by round to the hands, a card to start the table, the rest a pile.

import { type Dealer, type OpenPart, range } from "../../core/dealing";

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

/** The first card on the table stays in a duel: it changes places with the one that was dealt there. */
export const withOpenPart: OpenPart = ({ hands, start, pile }, { start: first }) => {
  const changed = (cards: unknown): unknown =>
    (cards as unknown[]).map((card) => (card === start ? first : card === first ? start : card));
  return { hands: (hands as unknown[]).map(changed), start: first, pile: changed(pile) };
};
