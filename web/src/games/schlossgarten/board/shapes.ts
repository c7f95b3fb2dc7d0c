// The elements as they lie in the box: one cell, two, and a bend of three.

export const SHAPES: Record<1 | 2 | 3, string[]> = {
  1: ["a7"],
  2: ["a7", "b7"],
  3: ["a6", "a7", "b7"],
};

/** The viewBox around an element in the box. */
export function boxOf(size: 1 | 2 | 3): string {
  return `-4 -4 ${size === 1 ? 110 : 210} ${size === 3 ? 212 : 112}`;
}
