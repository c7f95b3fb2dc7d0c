// How gems lie on a half of a card, from its middle: east, south, size.

export const PLACES: Record<number, readonly (readonly [number, number, number])[]> = {
  1: [[0, 0, 56]],
  2: [
    [-18, -18, 44],
    [18, 18, 44],
  ],
  3: [
    [0, -19, 40],
    [-20, 19, 40],
    [20.5, 19, 40],
  ],
};

/** The headings as quarter turns of a card, clockwise. */
export const TURNS = ["E", "S", "W", "N"];
