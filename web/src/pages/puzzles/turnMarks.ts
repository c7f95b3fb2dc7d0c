// What turns are marked with on the board, and in the words about them.

export const TURN_MARKS = { best: "1", second: "2", made: "×" };

/** A turn of an answer that has a mark. */
export type MarkedTurn = keyof typeof TURN_MARKS;
