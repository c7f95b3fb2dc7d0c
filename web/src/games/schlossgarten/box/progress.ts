// How far a box is drawn, in numbers.

import { SIZE } from "../board/pawns";
import { type Draft, isBegun, type Players } from "./draft";

export interface Share {
  n: number;
  all: number;
}

export function cardsOf({ cards }: Draft): Share {
  return { n: cards.filter((figure) => !figure.includes(null)).length, all: cards.length };
}

export function tilesOf({ tiles }: Draft): Share {
  return { n: tiles.reduce<number>((sum, number) => sum + (number ?? 0), 0), all: SIZE * SIZE };
}

/** The pawns of all numbers of players of which one was begun. */
export function startsOf({ starts }: Draft): Share {
  const places = Object.values(starts).filter(isBegun).flat();
  return { n: places.filter((place) => place !== null).length, all: places.length };
}

export function pawnsOf({ starts }: Draft, players: Players): Share {
  return { n: starts[players].filter((place) => place !== null).length, all: starts[players].length };
}
