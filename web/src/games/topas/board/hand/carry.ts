// A card that is taken from the hand and carried over the felt. A finger that goes down or aside from it scrolls the page.

import type { Attachment } from "svelte/attachments";

export interface Carried {
  onstart: () => void;
  onmove: (at: { x: number; y: number }) => void;
  /** The card was let go, or put back by Escape; whether by a finger, which hides what is under it. */
  onend: (dropped: boolean, blind: boolean) => void;
}

const STEADY = 7;
/** How far above a finger the card is held, in pixels: there it is seen. */
const ABOVE = 56;

export function carries(handlers: () => Carried | undefined): Attachment<HTMLElement> {
  return (card) => {
    let from: PointerEvent | undefined;
    let carrying = false;

    function isFinger(): boolean {
      return from?.pointerType === "touch";
    }

    function ends({ pointerId }: PointerEvent): boolean {
      return pointerId === from?.pointerId;
    }

    function press(event: PointerEvent): void {
      if (event.button === 0 && !from && handlers()) from = event;
    }

    function move(event: PointerEvent): void {
      if (!from || event.pointerId !== from.pointerId) return;
      if (!carrying) {
        if (Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) < STEADY) return;
        carrying = true;
        card.setPointerCapture(event.pointerId);
        handlers()?.onstart();
      }
      handlers()?.onmove({ x: event.clientX, y: event.clientY - (isFinger() ? ABOVE : 0) });
    }

    function end(dropped: boolean): void {
      if (carrying) {
        handlers()?.onend(dropped, isFinger());
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
    // A pen would scroll the page as well, and a finger that carries.
    const holds = (event: TouchEvent) => {
      if (from && (carrying || !isFinger())) event.preventDefault();
    };
    card.addEventListener("touchmove", holds, { signal, passive: false });
    // The pointer may have left the card before it is known to be carried.
    addEventListener("pointermove", move, { signal });
    addEventListener("pointerup", (event) => ends(event) && end(true), { signal });
    addEventListener("pointercancel", (event) => ends(event) && end(false), { signal });
    addEventListener("keydown", ({ key }) => key === "Escape" && end(false), { signal });
    return () => stop.abort();
  };
}
