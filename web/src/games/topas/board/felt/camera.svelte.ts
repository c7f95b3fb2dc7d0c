// Where the eye is over the felt. It follows the cards until somebody moves it, and never loses them.

import type { Camera as BoardCamera, Pixel } from "../../../../ui/zoom/camera";
import { type Bounds, boundsOf, type Square, SQUARE } from "../grid";

interface Shot extends Square {
  /** Pixels of a square. */
  size: number;
}
/** What lies over the felt in one of its upper corners. */
interface Plate {
  width: number;
  height: number;
}
/** A part of the felt, in pixels. */
interface Area extends Pixel, Plate {}

/** Squares kept free around the cards: for one more card, or where no more comes for the sake of looks. */
const ROOM = { open: 2, over: 0.8 };
/** Pixels of a square below which it is too small for a finger, and of one that a finger was brought near to. */
const SMALL = 38;
const NEAR = 52;
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
  #near = $state(false);
  width = $state(0);
  height = $state(0);
  leftPlate = $state.raw<Plate>({ width: 0, height: 0 });
  rightPlate = $state.raw<Plate>({ width: 0, height: 0 });

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

  /** All cards, with room for one more around them, and nothing of it under a plate. */
  readonly #all: Shot = $derived.by(() => {
    const { width, height, leftPlate, rightPlate } = this;
    const top = Math.max(leftPlate.height, rightPlate.height);
    const everywhere = { left: 0, top: 0, width, height };
    const below = { left: 0, top, width, height: height - top };
    const between = { left: leftPlate.width, top: 0, width: width - leftPlate.width - rightPlate.width, height };
    if (!this.#reachesPlates(everywhere)) return this.#shotOf(everywhere);
    const [one, other] = [this.#shotOf(below), this.#shotOf(between)];
    return one.size >= other.size ? one : other;
  });

  /** All cards with their room in a part of the felt, as large as they fit. */
  #extentIn(area: Area): { size: number; columns: number; rows: number } {
    const { west, south, east, north } = this.#bounds;
    const room = this.#over() ? ROOM.over : ROOM.open;
    const columns = east - west + 1 + 2 * room;
    const rows = north - south + 1 + 2 * room;
    const size = Math.max(Math.min(area.width / columns, area.height / rows, LARGEST_BY_ITSELF), 1);
    return { size, columns, rows };
  }

  #shotOf(area: Area): Shot {
    const { size } = this.#extentIn(area);
    const x = this.middle.x - (area.left + area.width / 2 - this.width / 2) / size;
    const y = this.middle.y + (area.top + area.height / 2 - this.height / 2) / size;
    return { x, y, size };
  }

  #reachesPlates(area: Area): boolean {
    const { size, columns, rows } = this.#extentIn(area);
    const aside = (area.width - columns * size) / 2;
    const above = (area.height - rows * size) / 2;
    return [this.leftPlate, this.rightPlate].some(({ width, height }) => aside < width && above < height);
  }

  readonly whole: boolean = $derived(this.#held === null);
  readonly shot: Shot = $derived(this.#held ?? this.#all);

  /** Whether it came near by itself. */
  get near(): boolean {
    return this.#near;
  }

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
    this.#near = false;
  }

  /** Come near to where a finger is if squares are too small for it, with some of them in sight. */
  comeNear(at: Pixel, squares: Square[]): void {
    if (this.shot.size >= SMALL) return;
    this.zoom(NEAR / this.shot.size, at);
    const pixels = squares.map((square) => this.pixelOf(square));
    const half = this.shot.size / 2;
    const [west, east] = [Math.min, Math.max].map((most) => most(...pixels.map(({ left }) => left)));
    const [north, south] = [Math.min, Math.max].map((most) => most(...pixels.map(({ top }) => top)));
    const top = Math.max(this.leftPlate.height, this.rightPlate.height);
    const right = Math.max(0, half - west!) - Math.max(0, east! + half - this.width);
    const down = Math.max(0, top + half - north!) - Math.max(0, south! + half - this.height);
    this.pan(right, down);
    this.#near = true;
  }

  /** Show all again if it came near by itself. */
  goBack(): void {
    if (this.#near) this.showAll();
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
