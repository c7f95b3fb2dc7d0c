// What stands for the player of a seat beside its colour.

/** The shape of each seat, as the path of a 24 × 24 square. */
export const SEAT_SHAPES = [
  "M12 2a10 10 0 1 0 0 20a10 10 0 1 0 0-20z",
  "M3 3h18v18H3z",
  "M12 2l11 19H1z",
  "M12 1l11 11-11 11L1 12z",
];
