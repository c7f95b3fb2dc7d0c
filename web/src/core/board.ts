// What every board takes, and the geometry they share.

import type { Entry, Move, ReachableFigures } from "../client/messages";

export interface BoardProps<V, M extends Move = Move> {
  view: V;
  /** Who sits where, by seat. */
  names: string[];
  /**
   * Makes a move of the view, given by its notation; absent where nothing can be played. What is made by itself after
   * another move is taken back together with it.
   */
  onmove?: (say: string, byItself?: boolean) => void;
  /** Whether the moves of the view are only what can be tried: nothing marks them, since nobody says which are legal. */
  attempting?: boolean;
  /** Cells to point at: the cause of a line of the score sheet, or of the log. */
  lit?: string[];
  /** Cells that the last move concerned. */
  last?: string[];
  /** The line of the score sheet that is being counted. */
  counted?: Entry | undefined;
  /** What could be played, or could have been, the best first: drawn as if it were pointed at. */
  marks?: Mark<M>[];
  /** What lies face down, by cell, in a replay that shows everything. */
  under?: Record<string, string>;
  /** Whether the board shows what everybody has, or the side panel does. */
  holdings?: boolean;
  /** What the server said of the figures of a card, and asking for them. */
  reach?: ReachableFigures | null;
  onreach?: (card: number) => void;
  /** Whether it is only looked at, and small: no panel beside it, nothing to press. */
  picture?: boolean;
  /** Whether the last move was refused, or can't be sent: what plays by itself stops. */
  halted?: boolean;
  /** The cells of the row because of which the last move was refused. */
  refused?: string[];
}

/** A choice that is shown on the board: what the coach advises, or what was made instead. */
export interface Mark<M extends Move = Move> {
  /** A choice may be a whole turn of several moves. */
  moves: M[];
  /** What stands beside it: a rank. */
  label: string;
  made?: boolean;
}

/** Signs with their places in a drawing; one that would cover an earlier one lies beside it, towards the middle. */
export function apart<Sign extends { x: number; y: number }>(
  signs: readonly Sign[],
  width: number,
  middle = Infinity,
): Sign[] {
  const placed: Sign[] = [];
  for (const { ...sign } of signs) {
    const step = sign.x > middle ? -width : width;
    while (placed.some(({ x, y }) => Math.hypot(x - sign.x, y - sign.y) < width)) sign.x += step;
    placed.push(sign);
  }
  return placed;
}

/** Column and row of a cell name like `c3`, from 0, row 0 in the south. */
export function cellAt(name: string): { column: number; row: number } {
  return { column: name.charCodeAt(0) - 97, row: Number(name.slice(1)) - 1 };
}

export function cellName(column: number, row: number): string {
  return `${String.fromCharCode(97 + column)}${row + 1}`;
}

/** Compass headings as steps east and north. */
export const HEADINGS: Record<string, [number, number]> = {
  N: [0, 1],
  NE: [1, 1],
  E: [1, 0],
  SE: [1, -1],
  S: [0, -1],
  SW: [-1, -1],
  W: [-1, 0],
  NW: [-1, 1],
};
