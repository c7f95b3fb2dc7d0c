// Fingers, pen, mouse and wheel on a board, told apart: a tap, a hover, a long press, a drag, a pinch.

import type { Attachment } from "svelte/attachments";
import { hovers } from "../pointers";
import type { Camera, Pixel } from "./camera";

export interface Handlers {
  /** Pressed and lifted at one place; whether by something that could not hover there before. */
  ontap?: (at: Pixel, blind: boolean) => void;
  onhover?: (at: Pixel) => void;
  onleave?: () => void;
  /** A long press, or the other button of the mouse. */
  onpress?: () => void;
  /** Something comes down. */
  onstart?: (at: Pixel) => void;
  /** Whether the wheel zooms; with Ctrl, as trackpads report a pinch, it does in any case. */
  wheel?: boolean;
}

const STEADY = 7;
const LONG = 480;
const WHEEL = 0.0016;
/** How much stronger a pinch of a trackpad is, and the most of it that one event counts: a mouse's wheel comes in notches. */
const PINCH = { times: 6, most: 25 };

function pageScrolls(): boolean {
  const page = document.documentElement;
  return page.scrollHeight > page.clientHeight + 1;
}

export function gestures(camera: Camera, handlers: Handlers = {}): Attachment<Element> {
  return (node) => {
    const board = node as HTMLElement | SVGElement;
    const down = new Map<number, Pixel>();
    let from: Pixel | null = null;
    let long: ReturnType<typeof setTimeout> | undefined;
    /** The pen that is down: what else touches the board is the hand that holds it. */
    let pen: number | undefined;
    /** The board was moved since it was pressed: what then is lifted was not clicked. */
    let moved = false;
    /** Somebody is at work here: the wheel is meant for the board and not for the page. */
    let engaged = false;

    function pixel(event: MouseEvent): Pixel {
      const box = board.getBoundingClientRect();
      return { left: event.clientX - box.left, top: event.clientY - box.top };
    }

    function steady(at: Pixel): boolean {
      return from !== null && Math.hypot(at.left - from.left, at.top - from.top) < STEADY;
    }

    function noTap(): void {
      from = null;
      clearTimeout(long);
    }

    function press(event: PointerEvent): void {
      if (event.button !== 0 || pen !== undefined) return;
      if (event.pointerType === "pen") {
        pen = event.pointerId;
        down.clear();
      }
      engaged = true;
      handlers.onstart?.(pixel(event));
      if (!down.size) moved = false;
      down.set(event.pointerId, pixel(event));
      noTap();
      if (down.size > 1) {
        moved = true;
        for (const id of down.keys()) board.setPointerCapture(id);
        return;
      }
      from = pixel(event);
      const { onpress } = handlers;
      if (event.pointerType === "touch" && onpress) long = setTimeout(() => (noTap(), onpress()), LONG);
    }

    function spread(): { far: number; middle: Pixel } {
      const [one, other] = [...down.values()] as [Pixel, Pixel];
      const middle = { left: (one.left + other.left) / 2, top: (one.top + other.top) / 2 };
      return { far: Math.hypot(one.left - other.left, one.top - other.top), middle };
    }

    function pinch(id: number, at: Pixel): void {
      const before = spread();
      down.set(id, at);
      const after = spread();
      camera.zoom(after.far / Math.max(before.far, 1), before.middle);
      camera.pan(after.middle.left - before.middle.left, after.middle.top - before.middle.top);
    }

    function move(event: PointerEvent): void {
      const at = pixel(event);
      const before = down.get(event.pointerId);
      if (!before) {
        if (hovers(event)) handlers.onhover?.(at);
      } else if (down.size === 2) {
        pinch(event.pointerId, at);
      } else if (down.size === 1 && !steady(at)) {
        noTap();
        if (!camera.draggable) return;
        moved = true;
        board.setPointerCapture(event.pointerId);
        camera.pan(at.left - before.left, at.top - before.top);
        down.set(event.pointerId, at);
      }
    }

    /** Forget a pointer; whether it was one that counts. */
    function drop(event: PointerEvent): boolean {
      if (!down.delete(event.pointerId)) return false;
      if (event.pointerId === pen) pen = undefined;
      noTap();
      return true;
    }

    function cancel(event: PointerEvent): void {
      drop(event);
    }

    function lift(event: PointerEvent): void {
      const at = pixel(event);
      const tapped = steady(at);
      if (drop(event) && tapped) handlers.ontap?.(at, !hovers(event));
    }

    function leave(event: PointerEvent): void {
      if (event.pointerType === "touch") return;
      engaged = false;
      handlers.onleave?.();
    }

    /** Keys and screen readers click without a pointer. */
    function click(event: MouseEvent): void {
      const palm = pen !== undefined && (event as PointerEvent).pointerType === "touch";
      if (event.detail > 0 && (moved || palm)) event.stopImmediatePropagation();
    }

    /** Two fingers are no scrolling and no zooming of the page. */
    function touch(event: TouchEvent): void {
      if (event.touches.length > 1) event.preventDefault();
    }

    function wheel(event: WheelEvent): void {
      if (!event.ctrlKey && (!handlers.wheel || (!engaged && pageScrolls()))) return;
      event.preventDefault();
      const pinched = PINCH.times * Math.min(Math.max(event.deltaY, -PINCH.most), PINCH.most);
      camera.zoom(Math.exp(-WHEEL * (event.ctrlKey ? pinched : event.deltaY)), pixel(event));
    }

    function menu(event: MouseEvent): void {
      if (!handlers.onpress) return;
      event.preventDefault();
      if (event.button === 2 && !down.size) handlers.onpress();
    }

    const stop = new AbortController();
    const { signal } = stop;
    board.addEventListener("pointerdown", press as EventListener, { signal });
    board.addEventListener("pointermove", move as EventListener, { signal });
    board.addEventListener("pointerup", lift as EventListener, { signal });
    board.addEventListener("pointercancel", cancel as EventListener, { signal });
    board.addEventListener("pointerleave", leave as EventListener, { signal });
    board.addEventListener("click", click as EventListener, { signal, capture: true });
    board.addEventListener("touchstart", touch as EventListener, { signal, passive: false });
    board.addEventListener("touchmove", touch as EventListener, { signal, passive: false });
    board.addEventListener("wheel", wheel as EventListener, { signal, passive: false });
    board.addEventListener("contextmenu", menu as EventListener, { signal });
    return () => (clearTimeout(long), stop.abort());
  };
}
