// What the coach said of a decision, drawn on the board.

import type { Mark } from "../../lib/board";
import type { Decision } from "../../lib/messages";

export type Shown = "better" | "made";

/** In one game both can be told apart; a whole turn of Schlossgarten is shown alone. */
export function marksOf(decision: Decision | undefined, shown: Shown, whole: boolean): Mark[] {
  const better = decision?.loss ? decision.best[0] : undefined;
  if (!decision || !better) return [];
  const marks: Record<Shown, Mark> = {
    better: { moves: better.moves, label: "★" },
    made: { moves: decision.made.moves, label: "×", made: true },
  };
  return whole ? [marks[shown]] : [marks.made, marks.better];
}
