// Fingers, mouse and wheel on the felt, told apart: a tap, a hover, a long press, a drag, a pinch.

import type { Attachment } from "svelte/attachments";
import type { Camera, Pixel } from "./camera.svelte";

export interface Handlers {
  ontap: (at: Pixel, touch: boolean) => void;
  onhover: (at: Pixel) => void;
  onleave: () => void;
  /** A long press, or the other button of the mouse. */
  onpress: () => void;
  onstart: () => void;
}

const STEADY = 7;
const LONG = 480;
const WHEEL = 0.0016;

function pageScrolls(): boolean {
  const page = document.documentElement;
  return page.scrollHeight > page.clientHeight + 1;
}

export function gestures(camera: Camera, handlers: Handlers): Attachment<SVGSVGElement> {
  return (felt) => {
    const down = new Map<number, Pixel>();
    let from: Pixel | null = null;
    let long: ReturnType<typeof setTimeout> | undefined;
    /** Somebody is at work here: the wheel is meant for the felt and not for the page. */
    let engaged = false;

    function pixel(event: MouseEvent): Pixel {
      const box = felt.getBoundingClientRect();
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
      if (event.button !== 0) return;
      engaged = true;
      handlers.onstart();
      down.set(event.pointerId, pixel(event));
      noTap();
      if (down.size > 1) return;
      from = pixel(event);
      if (event.pointerType === "touch") long = setTimeout(() => (noTap(), handlers.onpress()), LONG);
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
      camera.pan(after.middle.left - before.middle.left, after.middle.top - before.middle.top);
      camera.zoom(after.far / Math.max(before.far, 1), after.middle);
    }

    function move(event: PointerEvent): void {
      const at = pixel(event);
      const before = down.get(event.pointerId);
      if (!before) {
        if (event.pointerType !== "touch") handlers.onhover(at);
      } else if (down.size === 2) {
        pinch(event.pointerId, at);
      } else if (!steady(at)) {
        noTap();
        felt.setPointerCapture(event.pointerId);
        camera.pan(at.left - before.left, at.top - before.top);
        down.set(event.pointerId, at);
      }
    }

    function lift(event: PointerEvent): void {
      const at = pixel(event);
      if (down.delete(event.pointerId) && steady(at)) handlers.ontap(at, event.pointerType === "touch");
      noTap();
    }

    function drop(event: PointerEvent): void {
      down.delete(event.pointerId);
      noTap();
    }

    function leave(event: PointerEvent): void {
      if (event.pointerType === "touch") return;
      engaged = false;
      handlers.onleave();
    }

    function wheel(event: WheelEvent): void {
      if (!event.ctrlKey && !engaged && pageScrolls()) return;
      event.preventDefault();
      camera.zoom(Math.exp(-event.deltaY * WHEEL * (event.ctrlKey ? 6 : 1)), pixel(event));
    }

    function menu(event: MouseEvent): void {
      event.preventDefault();
      if (event.button === 2 && !down.size) handlers.onpress();
    }

    const stop = new AbortController();
    const { signal } = stop;
    felt.addEventListener("pointerdown", press, { signal });
    felt.addEventListener("pointermove", move, { signal });
    felt.addEventListener("pointerup", lift, { signal });
    felt.addEventListener("pointercancel", drop, { signal });
    felt.addEventListener("pointerleave", leave, { signal });
    felt.addEventListener("wheel", wheel, { signal, passive: false });
    felt.addEventListener("contextmenu", menu, { signal });
    return () => (clearTimeout(long), stop.abort());
  };
}
