// Pointing at the board in place of playing on it: a press on a cell, or Enter on the one that has the focus.

import type { Attachment } from "svelte/attachments";

/** What is a place of the board, what lies on it where that covers the places, and the ground where it has no end. */
const PLACES = "[data-cell], [data-laid], [data-ground]";
/** What makes a button of what lies there. */
const GIVEN = ["tabindex", "role", "aria-label"];

/** Have presses on a board point at its cells. What lies there can have the focus. */
export function pointing(onpoint: (cell: string) => void): Attachment<HTMLElement> {
  return (node) => {
    const given: SVGElement[] = [];
    for (const laid of node.querySelectorAll<SVGElement>("[data-laid]")) {
      laid.setAttribute("tabindex", "0");
      laid.setAttribute("role", "button");
      laid.setAttribute("aria-label", laid.dataset["laid"]!);
      given.push(laid);
    }

    function point(event: Event): void {
      const place = event.target instanceof Element ? event.target.closest<HTMLElement>(PLACES)?.dataset : undefined;
      const cell = place?.["cell"] ?? place?.["laid"] ?? place?.["ground"];
      if (cell === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      onpoint(cell);
    }

    const stop = new AbortController();
    const options = { signal: stop.signal, capture: true };
    node.addEventListener("click", point, options);
    node.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && point(event), options);
    return () => {
      stop.abort();
      for (const laid of given) for (const name of GIVEN) laid.removeAttribute(name);
    };
  };
}
