// Records for tests.

import { open } from "../../engine/client";

/** The record of a game that was played to its end, or up to a number of moves. */
export async function played(game: string, most = Infinity): Promise<Record<string, unknown>> {
  const client = await open({ address: `/engines/${game}`, game });
  let turn = await client.ask("deal", { options: {}, secret: "5e", nonces: [null, null] });
  for (let made = 0; made < most && !turn.over; made += 1) {
    const moves = await client.ask("legal", null);
    turn = await client.ask("play", { move: moves[(7 * made) % moves.length]! });
  }
  return client.ask("record", null);
}
