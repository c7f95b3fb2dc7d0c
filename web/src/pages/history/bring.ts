// Finished games of this device, brought to the server: one after the other, each once.

import { isObject, type SavedTable } from "../../local/reading";
import { ApiError, bringGame, whichBrought } from "../../client/api";
import { refusalOf } from "../../client/refusal";

/** How many are asked about at a time. */
const AT_ONCE = 500;

/** What of these games the server has already, as the ids of their tables. Raises ApiError. */
export async function broughtOf(tables: readonly SavedTable[]): Promise<Set<string>> {
  const known = new Map(tables.flatMap((table) => commitmentOf(table).map((deal) => [deal, table.id] as const)));
  const deals = [...known.keys()];
  const found = new Set<string>();
  for (let first = 0; first < deals.length; first += AT_ONCE) {
    const { games } = await whichBrought({ games: deals.slice(first, first + AT_ONCE) });
    for (const deal of games) found.add(known.get(deal)!);
  }
  return found;
}

/** What can be brought: finished games with a proof of their deal. */
export function canBeBrought(table: SavedTable): boolean {
  return commitmentOf(table).length > 0;
}

export interface Bringing {
  /** How many games the server has refused for what is in them. */
  refused: number;
  /** Why the others can't be brought now; empty where all were. */
  problem: string;
}

/** Bring games, one after the other; `onkept` is told of each that the server keeps. It ends early where none can come now. */
export async function bring(tables: readonly SavedTable[], onkept: (id: string) => void): Promise<Bringing> {
  let refused = 0;
  for (const { id, record, changed, assistance } of tables) {
    try {
      await bringGame({ record: record!, ended: changed, assistance });
      onkept(id);
    } catch (error) {
      if (!(error instanceof ApiError) || !["malformed", "too large"].includes(error.code)) {
        return { refused, problem: refusalOf(error) };
      }
      refused += 1;
    }
  }
  return { refused, problem: "" };
}

function commitmentOf({ record }: SavedTable): string[] {
  const fair = record?.["fair"];
  const found = isObject(fair) ? fair["commitment"] : undefined;
  return typeof found === "string" && /^[0-9a-f]{64}$/.test(found) ? [found] : [];
}
