// Dealing a game again from the revealed secret and the players' nonces, as src/bosquet/core/fair.py does, to hold it
// against the record.

import { Chance, hexDigest } from "../core/chance";
import type { Deal, DealOptions } from "../core/dealing";
import { loadDealer } from "../games/folders";

const LABEL = "bosquet/fair/1";

export function promiseOf(secret: string): Promise<string> {
  return hexDigest(`${LABEL}/${secret}`);
}

/**
 * The deal of a record, made anew; undefined where the page does not know how the game is dealt. In a later game of a
 * duel, what lies open is that of the `first` deal.
 */
export async function dealAgain(
  game: string,
  options: DealOptions,
  secret: string,
  nonces: (string | null)[],
  told: Deal,
  first?: Deal,
): Promise<Deal | undefined> {
  const dealer = await loadDealer(game);
  const seed = await hexDigest([LABEL, "deal", secret, ...nonces.map((nonce) => nonce ?? "-")].join("/"));
  const dealt = dealer?.default(await Chance.of(seed, "deal"), options, told);
  return dealt && first ? dealer?.withOpenPart(dealt, first) : dealt;
}

/** Whether two deals are the same; a hand has no order. */
export function sameDeal(one: Deal, other: Deal): boolean {
  return JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other));
}

function inOrder(deal: Deal): [string, unknown][] {
  const sorted = (value: unknown): unknown => (Array.isArray(value) ? value.map(sorted).sort() : value);
  return Object.entries(deal)
    .map(([key, value]): [string, unknown] => [
      key,
      key === "leftover" ? sorted(value) : key === "hands" ? (value as unknown[]).map(sorted) : value,
    ])
    .sort(([first], [second]) => first.localeCompare(second));
}
