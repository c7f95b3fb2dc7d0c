// Walking with the arrow keys from one square to the next that has something to say.

import { squareOf } from "./grid";
import type { Offer } from "./offer";

const STEPS: Record<string, [number, number]> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
};
/** A square straight ahead is nearer than one aside. */
const ASIDE = 2;

/** The nearest square in the direction of a key; without a square to start from, the first that fits. */
export function walk(offers: Offer[], from: string | null, key: string): string | undefined {
  const step = STEPS[key];
  if (from === null || !step) return (offers.find(({ kind }) => kind === "fits") ?? offers[0])?.cell;
  const start = squareOf(from);
  const ahead = offers.flatMap(({ cell }) => {
    const { x, y } = squareOf(cell);
    const on = (x - start.x) * step[0] + (y - start.y) * step[1];
    const aside = Math.abs((x - start.x) * step[1]) + Math.abs((y - start.y) * step[0]);
    return on > 0 ? [{ cell, far: on + ASIDE * aside }] : [];
  });
  return ahead.sort((one, other) => one.far - other.far)[0]?.cell ?? from;
}
