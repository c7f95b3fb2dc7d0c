// Where the eye is over the felt. It follows the cards until somebody moves it, and never loses them.

import type { Camera as BoardCamera, Pixel } from "../../../lib/zoom/camera";
import { type Bounds, boundsOf, type Square, SQUARE } from "./grid";

interface Shot extends Square {
  /** Pixels of a square. */
  size: number;
}

/** Squares kept free around the cards: for one more card, or where no more comes for the sake of looks. */
const ROOM = { open: 2, over: 0.8 };
/** Pixels at the top where keys lie over the felt: no card of a finished game comes under them. */
const KEYS = 44;
const LARGEST = 150;
const LARGEST_BY_ITSELF = 92;
const STILL_OUT = 0.75;

function between(low: number, value: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

export class Camera implements BoardCamera {
  readonly draggable = true;
  readonly #cells: () => string[];
  readonly #over: () => boolean;
  #held = $state.raw<Shot | null>(null);
  width = $state(0);
  height = $state(0);

  constructor(cells: () => string[], over: () => boolean) {
    this.#cells = cells;
    this.#over = over;
  }

  readonly #bounds: Bounds = $derived.by(() => boundsOf(this.#cells()));

  /** The middle of all cards. */
  readonly middle: Square = $derived.by(() => {
    const { west, south, east, north } = this.#bounds;
    return { x: (west + east) / 2, y: (south + north) / 2 };
  });

  /** All cards, with room for one more around them. */
  readonly #all: Shot = $derived.by(() => {
    const { west, south, east, north } = this.#bounds;
    const room = this.#over() ? ROOM.over : ROOM.open;
    const columns = east - west + 1 + 2 * room;
    const rows = north - south + 1 + 2 * room;
    const top = this.#over() ? KEYS : 0;
    const wanted = Math.min(this.width / columns, (this.height - top) / rows, LARGEST_BY_ITSELF);
    const size = Math.max(wanted, 1);
    return { x: this.middle.x, y: this.middle.y + top / 2 / size, size };
  });

  readonly whole: boolean = $derived(this.#held === null);
  readonly shot: Shot = $derived(this.#held ?? this.#all);

  /** The corner of the drawing and its scale, for a transform. */
  readonly transform: string = $derived.by(() => {
    const { left, top } = this.pixelOf({ x: 0, y: 0 });
    return `translate(${left}px, ${top}px) scale(${this.shot.size / SQUARE})`;
  });

  pixelOf({ x, y }: Square): Pixel {
    const { shot } = this;
    return { left: this.width / 2 + (x - shot.x) * shot.size, top: this.height / 2 - (y - shot.y) * shot.size };
  }

  /** The point of the grid under a pixel; a square's middle is whole. */
  pointAt({ left, top }: Pixel): Square {
    const { shot } = this;
    return { x: shot.x + (left - this.width / 2) / shot.size, y: shot.y - (top - this.height / 2) / shot.size };
  }

  pan(right: number, down: number): void {
    const { x, y, size } = this.shot;
    this.#hold({ x: x - right / size, y: y + down / size, size });
  }

  zoom(by: number, at: Pixel = { left: this.width / 2, top: this.height / 2 }): void {
    const { x, y, size } = this.shot;
    const still = this.pointAt(at);
    const wanted = between(this.#all.size * STILL_OUT, size * by, Math.max(LARGEST, this.#all.size));
    const kept = size / wanted;
    this.#hold({ x: still.x + (x - still.x) * kept, y: still.y + (y - still.y) * kept, size: wanted });
  }

  showAll(): void {
    this.#held = null;
  }

  /** Show all again if one of the squares is out of sight. */
  keepInSight(squares: Square[]): void {
    const seen = squares.every((square) => {
      const { left, top } = this.pixelOf(square);
      const half = this.shot.size / 2;
      return left >= half && top >= half && left <= this.width - half && top <= this.height - half;
    });
    if (!seen) this.showAll();
  }

  #hold(shot: Shot): void {
    const { west, south, east, north } = this.#bounds;
    this.#held = { ...shot, x: between(west - 1, shot.x, east + 1), y: between(south - 1, shot.y, north + 1) };
  }
}
