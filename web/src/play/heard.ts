// What is heard when a position follows another: what was done, and a bell when it becomes one's turn.

import type { GamePage } from "../core/game";
import type { Position } from "../client/messages";
import type { SoundName } from "../ui/sound/synthesis";

export interface Heard {
  sound: SoundName;
  /** Seconds until then. */
  later: number;
}

/** The sounds of the way from one position to the next. A page that has just come hears nothing. */
export function heardIn(
  { log }: GamePage,
  before: Position | undefined,
  { number, entries, view }: Position,
  mine: number[],
): Heard[] {
  if (!before || number <= before.number) return [];
  const last = entries.findLast(({ move, seat }) => move && seat !== null);
  const heard: Heard[] = [];
  if (last?.move && !last.undo) {
    const made = log.sound?.(last.move);
    if (made) heard.push({ sound: made, later: 0 });
  }
  const mineNow = view.seat !== null && mine.includes(view.seat);
  const theirs = last !== undefined && !mine.includes(last.seat ?? -1);
  if (mineNow && theirs && !view.over) heard.push({ sound: "bell", later: heard.length ? 0.45 : 0 });
  return heard;
}
