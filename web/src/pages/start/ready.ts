// What a table on this device needs is loaded before the button of its game is pressed, so that a press begins the game
// without a request: once a player sees the card of the game, or a newcomer, whose first page stays small, turns to it.

import { prepareEngine } from "../../core/engines";
import { loadGamePage } from "../../games/folders";
import { areKept } from "../../shell/worker";
import { need } from "../../shell/words.svelte";

const TURNED_TO = ["pointerenter", "focusin"] as const;

/** Call something once an element is pointed at, touched, or has the focus. */
export function whenTurnedTo(then: () => void): (node: Element) => () => void {
  return (node) => {
    const leave = () => TURNED_TO.forEach((event) => node.removeEventListener(event, turned));
    const turned = () => {
      leave();
      then();
    };
    for (const event of TURNED_TO) node.addEventListener(event, turned);
    return leave;
  };
}

/** Call something when an element has come into sight and the page is idle; where the reader saves data, later. */
export function whenSeen(then: () => void): (node: Element) => () => void {
  return (node) => {
    if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return whenTurnedTo(then)(node);
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      // Not every browser says when it is idle.
      if ("requestIdleCallback" in window) requestIdleCallback(then, { timeout: 2000 });
      else setTimeout(then, 500);
    });
    observer.observe(node);
    return () => observer.disconnect();
  };
}

/** The same for a newcomer, whose first page stays small: only where a file is kept on this device already. */
export function whenKeptAndSeen(file: string, then: () => void): (node: Element) => () => void {
  return whenSeen(() => {
    areKept([file]).then(
      (kept) => kept && then(),
      () => undefined, // it is loaded when the card is turned to
    );
  });
}

/** Load what the next table of a game on this device needs. What can't be had now is asked for when it is needed. */
export async function prepareHere(game: string): Promise<void> {
  const page = import("../Here.svelte");
  await Promise.allSettled([page, loadGamePage(game), need("rights", "table"), prepareEngine(game)]);
}
