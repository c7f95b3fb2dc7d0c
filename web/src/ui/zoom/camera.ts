// Where a board is looked at from: what the gestures, the keys and the buttons move.

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
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof Element && event.target.matches("input, textarea, select")) return;
  if (!board.contains(document.activeElement) && !board.matches(":hover")) return;
  if (event.key === "+" || event.key === "=") camera.zoom(STEP);
  else if (event.key === "-") camera.zoom(1 / STEP);
  else if (event.key === "0") camera.showAll();
  else return;
  event.preventDefault();
}
