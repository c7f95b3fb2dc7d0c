// Bytes from an address of the server that has the hash of its content, so that a cache may keep them.

import { asEngineError, EngineError } from "./errors.ts";

/** Fetch what is at an address. Raises EngineError where nothing comes. */
export async function fetched(address: string): Promise<ArrayBuffer> {
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new EngineError("unavailable", `${address}: status ${answer.status}`);
    return await answer.arrayBuffer();
  } catch (error) {
    throw asEngineError(error, "unavailable");
  }
}
