// The sculpture tiles by their names: `T3` is of type T and of size 3.

/** Eight types in five sizes. */
export const TYPES = ["T", "W", "S", "E", "P", "H", "O", "L"];
export const SIZES = [1, 2, 3, 4, 5];

export function typeOf(tile: string): string {
  return tile.charAt(0);
}

export function sizeOf(tile: string): number {
  return Number(tile.charAt(1));
}
