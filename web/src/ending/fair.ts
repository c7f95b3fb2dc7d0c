// Whether a game was dealt as was promised: its engine deals it again from the revealed secret and the players' nonces.

import type { Client } from "../engine/client";
import { boxOf } from "../engine/dealing";
import type { Deal } from "../engine/protocol";

/** What a record says of how its game was dealt. */
export interface Dealt {
  options: Deal["options"];
  deal: Readonly<Record<string, unknown>>;
}

/**
 * Whether the promise is one of the secret, and the deal follows from the secret and the nonces. In a later game of a
 * duel, what lies open is that of the `first` game. Raises EngineError for a record that is none.
 */
export async function isFair(
  engine: Client,
  promise: string | null,
  { secret, nonces }: Pick<Deal, "secret" | "nonces">,
  { options, deal }: Dealt,
  first?: Dealt,
): Promise<boolean> {
  if ((await engine.ask("commitment", { secret })) !== promise) return false;
  const box = boxOf(deal, engine.facts.box);
  await engine.ask("deal", { options, secret, nonces, box, ...(first && { openAsIn: first.deal }) });
  const { deal: again } = (await engine.ask("record", null)) as unknown as Dealt;
  const keys = new Set([...Object.keys(again), ...Object.keys(deal)]);
  return [...keys].every((key) => JSON.stringify(again[key]) === JSON.stringify(deal[key]));
}
