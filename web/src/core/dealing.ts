// How a game is dealt in the page: `games/NAME/deal.ts` says it with these types. How it is played is not known here.

import type { Chance } from "./chance";

export type Deal = Record<string, unknown>;
export interface DealOptions {
  players: number;
  [name: string]: unknown;
}
/** How a game is dealt from a generator: `games/NAME/deal.ts`. `told` is the deal of the record, for what is not dealt. */
export type Dealer = (chance: Chance, options: DealOptions, told: Deal) => Deal;

/** A deal, changed so that what lies open is as in another deal: the later games of a duel (`core/duel.py`). */
export type OpenPart = (dealt: Deal, other: Deal) => Deal;

export function range(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i);
}
