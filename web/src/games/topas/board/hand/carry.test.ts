import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { carries } from "./carry";

const handlers = { onstart: vi.fn(), onmove: vi.fn(), onend: vi.fn() };
const clicked = vi.fn();
let card: HTMLElement;
let detach: () => void;

beforeEach(() => {
  card = document.body.appendChild(document.createElement("button"));
  card.setPointerCapture = () => {};
  detach = carries(() => handlers)(card) as () => void;
  card.addEventListener("click", clicked);
});

afterEach(() => {
  detach();
  card.remove();
  vi.resetAllMocks();
});

function point(type: string, x: number, y: number, pointerType = "mouse"): void {
  const event = new PointerEvent(type, { pointerType, button: 0, clientX: x, clientY: y, bubbles: true });
  card.dispatchEvent(event);
}

test("a card that is moved is carried and dropped, and not clicked", () => {
  point("pointerdown", 10, 10);
  point("pointermove", 12, 12);
  expect(handlers.onstart).not.toHaveBeenCalled();
  point("pointermove", 40, 10);
  expect(handlers.onstart).toHaveBeenCalledOnce();
  expect(handlers.onmove).toHaveBeenLastCalledWith({ x: 40, y: 10 });
  point("pointerup", 40, 10);
  card.click();
  expect(handlers.onend).toHaveBeenCalledExactlyOnceWith(true, false);
  expect(clicked).not.toHaveBeenCalled();
});

test("a press without a way is a click", () => {
  point("pointerdown", 10, 10);
  point("pointerup", 11, 10);
  card.click();
  expect(clicked).toHaveBeenCalledOnce();
  expect(handlers.onend).not.toHaveBeenCalled();
});

test("Escape puts the card back", () => {
  point("pointerdown", 10, 10);
  point("pointermove", 40, 10);
  dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
  point("pointermove", 80, 10);
  point("pointerup", 80, 10);
  expect(handlers.onend).toHaveBeenCalledExactlyOnceWith(false, false);
  expect(handlers.onmove).toHaveBeenCalledOnce();
});

test("a finger carries the card above itself, until the browser takes it to scroll", () => {
  point("pointerdown", 10, 90, "touch");
  point("pointermove", 10, 60, "touch");
  expect(handlers.onmove).toHaveBeenLastCalledWith({ x: 10, y: 4 });
  point("pointercancel", 10, 60, "touch");
  expect(handlers.onend).toHaveBeenCalledExactlyOnceWith(false, true);
});
