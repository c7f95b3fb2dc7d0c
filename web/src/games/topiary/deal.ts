// Dealing: a type of sculpture removed, the garden, the hands.

import { type Dealer, range } from "../../lib/fair/deal";

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
