// The focus of those who play by keyboard, on a board whose things come and go with every move.

import { tick, untrack } from "svelte";
import type { Attachment } from "svelte/attachments";

/** Whether the last thing that was pressed was a key, or a button by way of assistive technology. */
let byKeys = false;
addEventListener("keydown", () => (byKeys = true), { capture: true });
addEventListener("pointerdown", () => (byKeys = false), { capture: true });
addEventListener("click", ({ detail }) => (byKeys ||= detail === 0), { capture: true });

/** Gives the focus to the board that hands it on, where there is one. */
let toBoard: (() => void) | undefined;

/** What is to be decided now, and where. */
export interface Decision {
  /** The same text as long as it is the same kind of decision; undefined while there is none. */
  kind: string | undefined;
  /** Finds what it begins with. */
  find: () => Element | null | undefined;
}

/**
 * Hands the focus on: to the next decision when that is one of another kind and the focus is on the board, or when what
 * had the focus is gone; while there is none, to the board itself. Who plays by pointer needs no focus: where what they
 * pressed is gone, the board has it, so that its keys still work.
 */
export function handsFocusOn(decision: () => Decision): Attachment<HTMLElement> {
  return (board) => {
    let last: string | undefined;
    /** Whether something on the board had the focus last. */
    let had = false;
    const stop = new AbortController();
    const { signal } = stop;
    /** Gives the focus to the decision; false if there is none. */
    const toDecision = (): boolean => {
      const { kind, find } = untrack(decision);
      const next = kind === undefined ? undefined : find();
      if (!(next instanceof HTMLElement || next instanceof SVGElement)) return false;
      next.focus();
      return true;
    };
    const begin = (): void => {
      if (!byKeys || !toDecision()) board.focus({ preventScroll: true });
    };
    toBoard = begin;
    addEventListener("focusin", ({ target }) => (had = board.contains(target as Node)), { signal });
    $effect(() => {
      const { kind } = decision();
      const changed = kind !== last;
      last = kind;
      void tick().then(() => {
        const { activeElement: active } = document;
        const lost = !active || active.contains(board);
        if (!byKeys) {
          if (had && active === document.body) board.focus({ preventScroll: true });
          return;
        }
        if (lost) begin();
        else if (changed && board.contains(active)) toDecision();
      });
    });
    return () => {
      stop.abort();
      if (toBoard === begin) toBoard = undefined;
    };
  };
}

/** Gives the focus back to the board, as soon as what had it elsewhere on the page is gone. */
export function returnFocus(): void {
  void tick().then(() => {
    if (document.activeElement === document.body) toBoard?.();
  });
}
