import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Camera } from "./camera";
import { gestures } from "./gestures";

const camera = { draggable: true, pan: vi.fn(), zoom: vi.fn() };
const handlers = {
  ontap: vi.fn(),
  onhover: vi.fn(),
  onleave: vi.fn(),
  onpress: vi.fn(),
  onstart: vi.fn(),
  wheel: true,
};
let felt: HTMLElement;
let detach: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  camera.draggable = true;
  felt = document.createElement("div");
  felt.setPointerCapture = () => {};
  detach = gestures(camera as unknown as Camera, handlers)(felt as unknown as SVGSVGElement) as () => void;
});

afterEach(() => {
  detach();
  vi.useRealTimers();
  vi.resetAllMocks();
});

function point(type: string, x: number, y: number, more: PointerEventInit = {}): void {
  felt.dispatchEvent(
    new PointerEvent(type, { pointerId: 1, pointerType: "mouse", button: 0, clientX: x, clientY: y, ...more }),
  );
}

test("pressing and lifting at one place is a tap, and says which means it came by", () => {
  point("pointerdown", 10, 10);
  point("pointermove", 13, 12);
  point("pointerup", 13, 12);
  expect(handlers.onstart).toHaveBeenCalledOnce();
  expect(handlers.ontap).toHaveBeenCalledExactlyOnceWith({ left: 13, top: 12 }, false);
  point("pointerdown", 10, 10, { pointerType: "touch" });
  point("pointerup", 10, 10, { pointerType: "touch" });
  expect(handlers.ontap).toHaveBeenLastCalledWith({ left: 10, top: 10 }, true);
  expect(camera.pan).not.toHaveBeenCalled();
});

test("a drag pans by what the pointer moves and ends in no tap", () => {
  point("pointerdown", 0, 0);
  point("pointermove", 20, 5);
  point("pointermove", 30, 5);
  point("pointerup", 30, 5);
  expect(camera.pan.mock.calls).toEqual([
    [20, 5],
    [10, 0],
  ]);
  expect(handlers.ontap).not.toHaveBeenCalled();
});

test("only a mouse hovers", () => {
  point("pointermove", 4, 4);
  expect(handlers.onhover).toHaveBeenCalledExactlyOnceWith({ left: 4, top: 4 });
  point("pointermove", 5, 5, { pointerType: "touch" });
  expect(handlers.onhover).toHaveBeenCalledOnce();
  point("pointerleave", 5, 5);
  expect(handlers.onleave).toHaveBeenCalledOnce();
});

test("a finger that stays presses, and then taps no more", () => {
  point("pointerdown", 10, 10, { pointerType: "touch" });
  vi.advanceTimersByTime(500);
  point("pointerup", 10, 10, { pointerType: "touch" });
  expect(handlers.onpress).toHaveBeenCalledOnce();
  expect(handlers.ontap).not.toHaveBeenCalled();
});

test("a finger that moves away in time does not press", () => {
  point("pointerdown", 10, 10, { pointerType: "touch" });
  point("pointermove", 40, 10, { pointerType: "touch" });
  vi.advanceTimersByTime(500);
  expect(handlers.onpress).not.toHaveBeenCalled();
});

test("a board that is whole is not dragged, and what was hardly moved is clicked", () => {
  const clicked = vi.fn();
  felt.addEventListener("click", clicked);
  camera.draggable = false;
  point("pointerdown", 0, 0);
  point("pointermove", 20, 5);
  point("pointerup", 20, 5);
  felt.dispatchEvent(new MouseEvent("click", { detail: 1 }));
  expect(camera.pan).not.toHaveBeenCalled();
  expect(clicked).toHaveBeenCalledOnce();
});

test("what moved the board clicks nothing on it; a key does", () => {
  const clicked = vi.fn();
  const cell = felt.appendChild(document.createElement("button"));
  cell.addEventListener("click", clicked);
  point("pointerdown", 0, 0);
  point("pointermove", 20, 5);
  point("pointerup", 20, 5);
  cell.dispatchEvent(new MouseEvent("click", { detail: 1, bubbles: true }));
  expect(clicked).not.toHaveBeenCalled();
  cell.dispatchEvent(new MouseEvent("click", { detail: 0, bubbles: true }));
  expect(clicked).toHaveBeenCalledOnce();
});

test("the hand that holds a pen touches nothing", () => {
  const clicked = vi.fn();
  const cell = felt.appendChild(document.createElement("button"));
  cell.addEventListener("click", clicked);
  point("pointerdown", 90, 90, { pointerType: "touch", pointerId: 2 });
  point("pointerdown", 10, 10, { pointerType: "pen" });
  point("pointermove", 60, 90, { pointerType: "touch", pointerId: 2 });
  point("pointerdown", 80, 90, { pointerType: "touch", pointerId: 3 });
  point("pointerup", 80, 90, { pointerType: "touch", pointerId: 3 });
  cell.dispatchEvent(new PointerEvent("click", { detail: 1, bubbles: true, pointerType: "touch" }));
  expect(camera.pan).not.toHaveBeenCalled();
  expect(camera.zoom).not.toHaveBeenCalled();
  expect(handlers.ontap).not.toHaveBeenCalled();
  expect(clicked).not.toHaveBeenCalled();
  point("pointerup", 10, 10, { pointerType: "pen" });
  expect(handlers.ontap).toHaveBeenCalledExactlyOnceWith({ left: 10, top: 10 }, true);
});

test("a pen that was seen above the glass points as a mouse does", () => {
  document.body.append(felt);
  point("pointermove", 4, 4, { pointerType: "pen", bubbles: true });
  expect(handlers.onhover).toHaveBeenCalledExactlyOnceWith({ left: 4, top: 4 });
  point("pointerdown", 4, 4, { pointerType: "pen" });
  point("pointerup", 4, 4, { pointerType: "pen" });
  expect(handlers.ontap).toHaveBeenCalledExactlyOnceWith({ left: 4, top: 4 }, false);
  felt.remove();
});

test("two fingers pinch: the camera comes nearer by how far they part", () => {
  point("pointerdown", 0, 0, { pointerType: "touch" });
  point("pointerdown", 100, 0, { pointerType: "touch", pointerId: 2 });
  point("pointermove", 200, 0, { pointerType: "touch", pointerId: 2 });
  expect(camera.pan).toHaveBeenCalledExactlyOnceWith(50, 0);
  expect(camera.zoom).toHaveBeenCalledExactlyOnceWith(2, { left: 50, top: 0 });
  point("pointerup", 200, 0, { pointerType: "touch", pointerId: 2 });
  expect(handlers.ontap).not.toHaveBeenCalled();
});

test("the other button of the mouse turns instead of opening a menu", () => {
  const menu = new MouseEvent("contextmenu", { button: 2, cancelable: true });
  felt.dispatchEvent(menu);
  expect(menu.defaultPrevented).toBe(true);
  expect(handlers.onpress).toHaveBeenCalledOnce();
});

test("the wheel zooms", () => {
  // The WheelEvent of happy-dom has no place.
  felt.dispatchEvent(Object.assign(new MouseEvent("wheel", { clientX: 7, clientY: 8 }), { deltaY: -100 }));
  const [by, at] = camera.zoom.mock.calls[0]!;
  expect(by).toBeGreaterThan(1);
  expect(at).toEqual({ left: 7, top: 8 });
});

test("nothing is heard any more once it is detached", () => {
  detach();
  point("pointerdown", 10, 10);
  point("pointerup", 10, 10);
  expect(handlers.ontap).not.toHaveBeenCalled();
});
