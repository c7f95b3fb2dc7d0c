// A finger that is drawn across steps: to the left on, to the right back.

import type { Attachment } from "svelte/attachments";

const FAR = 40;

export function swipes(onstep: (by: number) => void): Attachment<HTMLElement> {
  return (node) => {
    let from: { x: number; y: number } | undefined;

    /** A board that is dragged about itself says so by refusing every touch action of the browser. */
    function draggable({ target }: PointerEvent): boolean {
      const drawing = target instanceof Element ? target.closest("svg") : null;
      return drawing !== null && getComputedStyle(drawing).touchAction === "none";
    }

    function down(event: PointerEvent): void {
      const finger = event.pointerType === "touch" && event.isPrimary && !draggable(event);
      from = finger ? { x: event.clientX, y: event.clientY } : undefined;
    }

    function up(event: PointerEvent): void {
      if (!from) return;
      const east = event.clientX - from.x;
      const south = event.clientY - from.y;
      from = undefined;
      if (Math.abs(east) > FAR && Math.abs(east) > 2 * Math.abs(south)) onstep(east < 0 ? 1 : -1);
    }

    const stop = new AbortController();
    const { signal } = stop;
    node.addEventListener("pointerdown", down, { signal });
    node.addEventListener("pointerup", up, { signal });
    node.addEventListener("pointercancel", () => (from = undefined), { signal });
    return () => stop.abort();
  };
}
