// Where the record of a finished game comes from: a table of the server, or one on this device. A file has no origin.

import { recordOf } from "../../local/savedTables";
import { ApiError, record as recordAtServer } from "../../client/api";
import type { ReplayRequest } from "../../client/messages";

export interface Origin {
  /** The table. */
  id: string;
  /** Whether it is one on this device. */
  here: boolean;
}

/** Fetch the record. Raises ApiError. */
export async function recordFrom({ id, here }: Origin): Promise<ReplayRequest["record"]> {
  if (!here) return recordAtServer(id);
  const found = await recordOf(id);
  if (!found) throw new ApiError("no table", `${id}: no finished game on this device`);
  return found;
}

export function replayPath(origin: Origin | undefined): string {
  return pathOf("replay", origin);
}

export function coachPath(origin: Origin | undefined): string {
  return pathOf("coach", origin);
}

/** The address of the position after `ply` moves. */
export function positionPath(origin: Origin | undefined, ply: number): string {
  return `${replayPath(origin)}#ply${ply}`;
}

function pathOf(page: string, origin: Origin | undefined): string {
  return origin ? `${origin.here ? "/here" : ""}/${page}/${origin.id}` : `/${page}`;
}
