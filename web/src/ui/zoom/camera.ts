// Where a board is looked at from: what the gestures, the keys and the buttons move.

import { keyOf } from "../keys";

export interface Pixel {
  left: number;
  top: number;
}

export interface Camera {
  /** Whether the whole board is shown. */
  readonly whole: boolean;
  /** Whether one pointer that is drawn over the board moves it. */
  readonly draggable: boolean;
  pan(right: number, down: number): void;
  /** Come nearer by a factor; what is under the pixel stays there. */
  zoom(by: number, at?: Pixel): void;
  showAll(): void;
}

export const STEP = 1.3;

/** Zoom by `+`, `-` and `0`, if somebody is at work on the board: the focus or the mouse is there. */
export function pressZoomKey(event: KeyboardEvent, camera: Camera, board: Element): void {
  const pressed = keyOf(event);
  if (!board.contains(document.activeElement) && !board.matches(":hover")) return;
  if (pressed === "+" || pressed === "=") camera.zoom(STEP);
  else if (pressed === "-") camera.zoom(1 / STEP);
  else if (pressed === "0") camera.showAll();
  else return;
  event.preventDefault();
}
