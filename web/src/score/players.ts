// Who plays with the real box: their number, and their names as typed into `PlayerFields.svelte`.

import { t } from "../shell/words.svelte";

export const MOST = 4;

export interface Players {
  players: number;
  /** As typed, by seat; may be empty. */
  names: string[];
}

export function newPlayers(): Players {
  return { players: 2, names: Array.from({ length: MOST }, () => "") };
}

/** The names to be shown. */
export function namesOf({ players, names }: Players): string[] {
  return Array.from({ length: players }, (_, seat) => names[seat]?.trim() || t("score.player", { n: seat + 1 }));
}

/** What a seat's mark takes its initial from: the name that was typed, or the number. */
export function markOf({ names }: Players, seat: number): string {
  return names[seat]?.trim() || String(seat + 1);
}
