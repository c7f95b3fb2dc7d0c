// Asks the engine which choices are best, and leaves out of them what the table does not tell. `panel/shownHint.svelte.ts`
// says which of them the board shows.

import type { Client } from "../engine/client";
import type { Assistance, Hint } from "../engine/protocol";
import type { Hinted } from "../client/givenHint";

/** The best choices for the seat to move in the game of an engine. Raises EngineError. */
export async function findChoices(engine: Client, assistance: Assistance, signal: AbortSignal): Promise<Hinted[]> {
  const found = await engine.ask("hints", {}, signal);
  const told = (move: Hint["data"][number]) => (assistance === "full" ? move : plain(move));
  return found.map((choice) => ({ ...choice, data: choice.data.map(told) as Hinted["data"] }));
}

/** A move without what it would score: `plain_move` of `core/view.py`. */
function plain(move: Hint["data"][number]): Hint["data"][number] {
  const scored = ["points", "rows", "sight"].filter((name) => name in move);
  return { ...move, ...Object.fromEntries(scored.map((name) => [name, null])) };
}
