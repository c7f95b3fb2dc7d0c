// What turns are marked with on the board, and in the words about them.

export const TURN_MARKS = { best: "1", second: "2", made: "×" };

/** MarkedTurn turn of an answer. */
export type MarkedTurn = keyof typeof TURN_MARKS;
