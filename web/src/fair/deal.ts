// Dealing a game again from the revealed secret and the players' nonces, as src/bosquet/core/fair.py does, to hold it
// against the record. It says how parts are laid out, and nothing of how they are played.

import type { GameName } from "../lib/games";
import { Chance, hexDigest } from "./chance";

const LABEL = "bosquet/fair/1";
const HAND = 3;

type Deal = Record<string, unknown>;
interface Options {
  players: number;
  draft?: boolean;
}

export function promiseOf(secret: string): Promise<string> {
  return hexDigest(`${LABEL}/${secret}`);
}

/** The deal of a record, made anew. */
export async function dealAgain(
  game: GameName,
  options: Options,
  secret: string,
  nonces: (string | null)[],
): Promise<Deal> {
  const seed = await hexDigest([LABEL, "deal", secret, ...nonces.map((nonce) => nonce ?? "-")].join("/"));
  return DEALS[game](await Chance.of(seed, "deal"), options);
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

const DEALS: Record<GameName, (chance: Chance, options: Options) => Deal> = {
  topiary(chance, { players }) {
    const types = [..."TWSEPHOL"];
    const removed = players === 4 ? null : (types[chance.below(types.length)] ?? null);
    const kept = types.filter((type) => type !== removed);
    const tiles = chance.shuffled(kept.flatMap((type) => [1, 2, 3, 4, 5].map((size) => `${type}${size}`)));
    const hands = range(players).map((seat) => tiles.slice(25 + HAND * seat, 25 + HAND * (seat + 1)));
    return { removed, garden: tiles.slice(0, 25), hands, leftover: tiles.slice(25 + HAND * players) };
  },

  topas(chance, { players }) {
    const cards = chance.shuffled(gemCards());
    if (players === 1) return { pile: cards };
    const dealt = HAND * players;
    const hands = range(players).map((seat) => range(HAND).map((round) => cards[round * players + seat]));
    return { hands, start: cards[dealt], pile: cards.slice(dealt + 1) };
  },

  schlossgarten(chance, { players }) {
    const values = [1, 2, 3].flatMap((value) => Array<number>(value === 1 ? 17 : 16).fill(value));
    const landscape = chance.shuffled(values);
    const cards = chance.shuffled(range(32).map((card) => card + 1));
    return { landscape, hands: cards.slice(0, players), pile: cards.slice(players) };
  },
};

/** All cards of Topas in their order: two colours, two unequal numbers. */
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

function range(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i);
}
