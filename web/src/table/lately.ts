// What happened last: the cells that the latest turn concerned, to be outlined on the board.

import type { GameName } from "../lib/games";
import type { Told } from "../lib/messages";

/** The moves that begin a turn. Topas has no others. */
const BEGINS: Record<GameName, RegExp> = {
  topiary: /^[a-e][1-5][NESW]{1,2}$/,
  topas: /^/,
  schlossgarten: /^card /,
};

const STEPS: Record<string, readonly [number, number]> = { N: [0, 1], E: [1, 0], S: [0, -1], W: [-1, 0] };

export function lastCells(game: GameName, log: readonly Told[]): string[] {
  const cells: string[] = [];
  let undone = 0;
  let mover: number | null | undefined;
  for (const { seat, say, undo } of log.toReversed()) {
    if (undo) undone += 1;
    else if (undone) undone -= 1;
    else {
      mover ??= seat;
      if (seat !== mover) break;
      cells.push(...cellsOf(game, say));
      if (BEGINS[game].test(say)) break;
    }
  }
  return [...new Set(cells)];
}

/** The cells that a move names. */
export function cellsOf(game: GameName, say: string): string[] {
  if (game === "topas") return halves(say);
  // A sight line is named after a cell without concerning it.
  if (game === "topiary" && BEGINS.topiary.test(say)) return [];
  return say.match(/\b[a-g][1-7]\b/g) ?? [];
}

function halves(say: string): string[] {
  const found = /@(-?\d+),(-?\d+)([NESW])$/.exec(say);
  if (!found) return [];
  const [x, y] = [Number(found[1]), Number(found[2])];
  const [east, north] = STEPS[found[3] ?? ""] ?? [0, 0];
  return [`${x},${y}`, `${x + east},${y + north}`];
}
