// Results of puzzles in words.

import type { PuzzleOfDay } from "../../server/messages";

export function stateKey(solved: PuzzleOfDay["solved"]) {
  if (solved === null) return "puzzles.state_open";
  return solved ? "puzzles.state_solved" : "puzzles.state_missed";
}

/** A sign beside the words, so that a list is read at a glance. */
export function stateSign(solved: PuzzleOfDay["solved"]): string {
  if (solved === null) return "○";
  return solved ? "✓" : "✗";
}
