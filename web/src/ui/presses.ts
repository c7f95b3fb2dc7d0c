// One press does one thing: a key that is held down, or the second half of a double click, is no second press.

import type { Attachment } from "svelte/attachments";

const PRESSED = "a, button, summary, select, input, [role], [tabindex]";
const WRITTEN = "input:not([type=checkbox], [type=radio]), textarea";

/** Let Enter and the space bar press once, however long they are held; the space bar still scrolls and writes. */
export function pressOnce(): void {
  addEventListener("keydown", stop, { capture: true });
}

function stop(event: KeyboardEvent): void {
  const { key, repeat, target } = event;
  if (!repeat || !(target instanceof Element) || target.closest("main:focus")) return;
  const enters = key === "Enter" && !target.matches("textarea") && target.matches(PRESSED);
  const spaces = key === " " && !target.matches(WRITTEN) && target.matches(PRESSED);
  if (!enters && !spaces) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * Of a double click of a mouse, drop the second one where the first has led to another position: it was not meant for
 * that one. Fingers tap one thing after the other as fast.
 */
export function clickOnce(position: () => unknown): Attachment<HTMLElement> {
  return (node) => {
    let before: unknown;
    function click(event: MouseEvent): void {
      const touched = event instanceof PointerEvent && event.pointerType === "touch";
      if (event.detail < 2 || touched) before = position();
      else if (before !== position()) {
        event.preventDefault();
        event.stopPropagation();
      }
    }
    node.addEventListener("click", click, { capture: true });
    return () => node.removeEventListener("click", click, { capture: true });
  };
}
