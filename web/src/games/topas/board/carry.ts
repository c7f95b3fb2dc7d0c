// A card that is taken from the hand and carried over the felt by the mouse or a pen. Fingers scroll the page instead.

import type { Attachment } from "svelte/attachments";

export interface Carried {
  onstart: () => void;
  onmove: (at: { x: number; y: number }) => void;
  /** The card was let go, or put back by Escape. */
  onend: (dropped: boolean) => void;
}

const STEADY = 7;

export function carries(handlers: () => Carried | undefined): Attachment<HTMLElement> {
  return (card) => {
    let from: PointerEvent | undefined;
    let carrying = false;

    function press(event: PointerEvent): void {
      if (event.button === 0 && event.pointerType !== "touch" && handlers()) from = event;
    }

    function move(event: PointerEvent): void {
      if (!from) return;
      if (!carrying) {
        if (Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) < STEADY) return;
        carrying = true;
        card.setPointerCapture(event.pointerId);
        handlers()?.onstart();
      }
      handlers()?.onmove({ x: event.clientX, y: event.clientY });
    }

    function end(dropped: boolean): void {
      if (carrying) {
        handlers()?.onend(dropped);
        // What was carried was not clicked.
        const clicked = new AbortController();
        const { signal } = clicked;
        card.addEventListener("click", (event) => event.stopImmediatePropagation(), { capture: true, signal });
        setTimeout(() => clicked.abort());
      }
      from = undefined;
      carrying = false;
    }

    const stop = new AbortController();
    const { signal } = stop;
    card.addEventListener("pointerdown", press, { signal });
    // A pen would scroll the page as well.
    card.addEventListener("touchmove", (event) => from && event.preventDefault(), { signal, passive: false });
    // The pointer may have left the card before it is known to be carried.
    addEventListener("pointermove", move, { signal });
    addEventListener("pointerup", () => end(true), { signal });
    addEventListener("pointercancel", () => end(false), { signal });
    addEventListener("keydown", ({ key }) => key === "Escape" && end(false), { signal });
    return () => stop.abort();
  };
}
