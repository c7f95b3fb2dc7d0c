// Whether a record was dealt from its secret and its nonces, as `core/records/fair.py` verifies it.

import { boxOf } from "./dealing.ts";
import type { Engine } from "./engine.ts";
import { Game } from "./game.ts";
import { quoted } from "./quoting.ts";
import { expectInteger, expectKey, expectList, expectObject, type Json, wrong } from "./reading.ts";
import { readRecord } from "./records.ts";

export const FAIR = "fair";
const DUEL = "duel";

/** Repeat the deal and the chance events of a record. Leaves the game as it is. Raises EngineError where they differ. */
export function verify(engine: Engine, record: unknown): void {
  engine.aside(() => {
    readRecord(engine, record);
    const data = record as Json;
    const said = expectObject(expectKey(data, FAIR, "the record"), FAIR);
    const secret = secretOf(said);
    const nonces = noncesOf(said, engine.seats);
    const right = engine.commitment(secret);
    if (said["commitment"] !== right) {
      throw wrong(`${FAIR}.commitment is not that of the secret; it must be ${right}`);
    }
    const deal = data["deal"] as Json;
    const options = data["options"] as Json;
    const openAsIn = isLaterOfDuel(data, engine.seats) ? deal : undefined;
    const again = Game.dealt(engine, { options, secret, nonces, box: boxOf(deal, engine.facts.box), openAsIn });
    for (const [key, value] of Object.entries(again.record()["deal"] as Json)) {
      if (JSON.stringify(deal[key]) !== JSON.stringify(value)) {
        throw wrong(`deal.${key} is not what secret and nonces give`);
      }
    }
    for (const [ply, move] of (data["moves"] as string[]).entries()) {
      const drawn = again.says[ply];
      if (drawn === undefined) again.play(move);
      else if (drawn !== move) {
        throw wrong(`${quoted(move)} is not what secret and nonces give; it must be ${quoted(drawn)}`, ply);
      }
    }
  });
}

function secretOf(said: Json): string {
  const secret = expectKey(said, "secret", FAIR);
  if (typeof secret !== "string") throw wrong(`${FAIR}.secret must be text`);
  return secret;
}

function noncesOf(said: Json, players: number): (string | null)[] {
  const nonces = expectList(expectKey(said, "nonces", FAIR), players, `${FAIR}.nonces`);
  return nonces.map((nonce, i) => {
    if (nonce === null || typeof nonce === "string") return nonce;
    throw wrong(`${FAIR}.nonces[${i}] is ${quoted(nonce)}; it must be text or null`);
  });
}

/** Whether a record is of a later game of a duel: then what lies open is that of the first one (`core/records/duel.py`). */
function isLaterOfDuel(data: Json, players: number): boolean {
  if (!Object.hasOwn(data, DUEL)) return false;
  const said = expectObject(data[DUEL], DUEL);
  const id = expectKey(said, "id", DUEL);
  if (typeof id !== "string" || Array.from(id).length > 100) {
    throw wrong(`${DUEL}.id is ${quoted(id)}; it must be text of at most 100 characters`);
  }
  const games = expectInteger(expectKey(said, "games", DUEL), 2, 4, `${DUEL}.games`);
  if (games !== players) throw wrong(`${DUEL}.games is ${games}; it must be the number of players, ${players}`);
  return expectInteger(expectKey(said, "game", DUEL), 0, games - 1, `${DUEL}.game`) > 0;
}
