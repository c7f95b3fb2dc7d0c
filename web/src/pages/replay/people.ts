// Who played, as a record says: as `server/compute/replays.py` reads it.

import type { ReplayRequest } from "../../client/messages";
import { t } from "../../shell/words.svelte";

/** Longer names are cut. */
const LONGEST = 24;

/** Names and bots of each seat; numbers where there are no names, null where no bot played or nobody says so. */
export function peopleIn(record: ReplayRequest["record"], seats: number): { names: string[]; bots: (string | null)[] } {
  const each = <Value>(part: unknown, read: (text: string, seat: number) => Value): Value[] =>
    Array.from({ length: seats }, (_, seat) => {
      const value: unknown = Array.isArray(part) ? part[seat] : undefined;
      return read(typeof value === "string" ? value : "", seat);
    });
  return {
    names: each(record["players"], (name, seat) => cut(name.trim()) || t("replay.player", { n: seat + 1 })),
    bots: each(record["bots"], (bot) => cut(bot) || null),
  };
}

function cut(text: string): string {
  return Array.from(text).slice(0, LONGEST).join("");
}
