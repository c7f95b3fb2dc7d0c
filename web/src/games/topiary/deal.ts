// Dealing: a type of sculpture removed, the garden, the hands.

import { type Dealer, type OpenPart, range } from "../../core/dealing";

const HAND = 3;
const GARDEN = 25;

export default ((chance, { players, removed: named = "drawn" }) => {
  const types = [..."TWSEPHOL"];
  const removed = players === 4 ? null : named === "drawn" ? (types[chance.below(types.length)] ?? null) : named;
  const kept = types.filter((type) => type !== removed);
  const tiles = chance.shuffled(kept.flatMap((type) => [1, 2, 3, 4, 5].map((size) => `${type}${size}`)));
  const dealt = GARDEN + HAND * players;
  const hands = range(players).map((seat) => tiles.slice(GARDEN + HAND * seat, GARDEN + HAND * (seat + 1)));
  return { removed, garden: tiles.slice(0, GARDEN), hands, leftover: tiles.slice(dealt) };
}) satisfies Dealer;

/** The removed type stays in a duel: it changes places with the one that was drawn. */
export const withOpenPart: OpenPart = ({ removed, garden, hands, leftover }, { removed: first }) => {
  const typeOf = (type: unknown): unknown => (type === removed ? first : type === first ? removed : type);
  const changed = (tiles: unknown): unknown =>
    (tiles as string[]).map((tile) => `${String(typeOf(tile[0]))}${tile.slice(1)}`);
  return {
    removed: first,
    garden: changed(garden),
    hands: (hands as unknown[]).map(changed),
    leftover: changed(leftover),
  };
};
