// The camera of a board that fits its frame: it comes nearer to be read, and leaves the frame nowhere empty but at its edge.

import type { Camera, Pixel } from "./camera";

const LARGEST = 4;
/** Nearer than this is the whole board: fingers seldom meet where they began. */
const WHOLE = 1.04;
/** How far an edge of the board may come into the frame, in frames, so that no key has to lie over it. */
const SLACK = 0.14;

function between(low: number, value: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

export class Magnifier implements Camera {
  width = $state(0);
  height = $state(0);
  #scale = $state(1);
  /** The place of the board in the middle of the frame, in boards from its corner. */
  #x = $state(0.5);
  #y = $state(0.5);

  get scale(): number {
    return this.#scale;
  }

  get whole(): boolean {
    return this.#scale === 1;
  }

  get draggable(): boolean {
    return !this.whole;
  }

  /** For a board whose origin is its corner; nothing where it is whole. */
  get transform(): string | undefined {
    if (this.whole) return undefined;
    const moved = (place: number) => `${(0.5 - place * this.#scale) * 100}%`;
    return `translate(${moved(this.#x)}, ${moved(this.#y)}) scale(${this.#scale})`;
  }

  pan(right: number, down: number): void {
    if (!this.whole) this.#look(this.#x - right / this.#scale / this.width, this.#y - down / this.#scale / this.height);
  }

  zoom(by: number, at: Pixel = { left: this.width / 2, top: this.height / 2 }): void {
    const wanted = between(1, this.#scale * by, LARGEST);
    const scale = wanted < WHOLE && by < 1 ? 1 : wanted;
    if (scale === 1) return this.showAll();
    const nearer = 1 / this.#scale - 1 / scale;
    this.#scale = scale;
    this.#look(this.#x + (at.left / this.width - 0.5) * nearer, this.#y + (at.top / this.height - 0.5) * nearer);
  }

  /** Whether a point of a square board, whose side is given, is in the frame. */
  shows({ x, y }: { x: number; y: number }, side: number): boolean {
    const half = 0.5 / this.#scale;
    return Math.abs(x / side - this.#x) <= half && Math.abs(y / side - this.#y) <= half;
  }

  showAll(): void {
    this.#scale = 1;
    this.#x = this.#y = 0.5;
  }

  /** Pan by as little as brings a part of the board into the frame; it is given as it lies in the frame now. */
  keepInSight(part: { left: number; top: number; width: number; height: number }): void {
    const off = (from: number, size: number, room: number) =>
      from < 0 ? -from : Math.min(0, room - Math.min(size, room) - from);
    this.pan(off(part.left, part.width, this.width), off(part.top, part.height, this.height));
  }

  #look(x: number, y: number): void {
    const half = (0.5 - SLACK) / this.#scale;
    this.#x = between(half, x, 1 - half);
    this.#y = between(half, y, 1 - half);
  }
}
