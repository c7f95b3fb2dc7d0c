// What the coach said of a decision, drawn on the board.

import type { Mark } from "../../core/board";
import type { Decision } from "../../client/messages";

export type Shown = "better" | "made";

/** Both choices where they can be told apart on the board, else the one that is shown. */
export function marksOf(decision: Decision | undefined, shown: Shown, both: boolean): Mark[] {
  const better = decision?.loss ? decision.best[0] : undefined;
  if (!decision || !better) return [];
  const marks: Record<Shown, Mark> = {
    better: { moves: better.data, label: "★" },
    made: { moves: decision.made.data, label: "×", made: true },
  };
  return both ? [marks.better, marks.made] : [marks[shown]];
}
