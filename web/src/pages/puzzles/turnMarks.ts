// What turns are marked with on the board, and in the words about them.

export const SIGNS = { best: "1", second: "2", made: "×" };

/** Which turn of an answer. */
export type Which = keyof typeof SIGNS;
