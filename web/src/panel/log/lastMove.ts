// What happened last: the cells that the latest turn concerned, to be outlined on the board.

import type { GamePage } from "../../core/game";
import type { LogEntry, Move } from "../../client/messages";

/** The cells to point at for a move. */
export function cellsOf({ log }: GamePage, move: Move): string[] {
  return log.cells?.(move) ?? move.cells;
}

export function lastCells(game: GamePage, log: readonly Pick<LogEntry, "seat" | "move" | "undo">[]): string[] {
  const found: string[] = [];
  let undone = 0;
  let mover: number | null | undefined;
  for (const { seat, move, undo } of log.toReversed()) {
    if (undo) undone += 1;
    else if (undone) undone -= 1;
    else {
      mover ??= seat;
      if (seat !== mover || !move) break;
      found.push(...cellsOf(game, move));
      if (game.log.beginsTurn(move)) break;
    }
  }
  return [...new Set(found)];
}
