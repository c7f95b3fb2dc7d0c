// What a table on this device needs is loaded before the button of its game is pressed, so that a press begins the game
// without a request: once a player sees the card of the game, or a newcomer, whose first page stays small, turns to it.

import { prepareEngine } from "../../core/engines";
import { setTable } from "../../local/savedTables";
import { loadGamePage } from "../../games/folders";
import { loadHere } from "../here";
import { whenIdle } from "../../shell/idle";
import { route } from "../../shell/route.svelte";
import { savesData } from "../../shell/savesData";
import { areKept } from "../../shell/worker";
import { need } from "../../shell/words.svelte";
import { newTable, settingFor } from "./setting/setting";

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
    if (savesData()) return whenTurnedTo(then)(node);
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      whenIdle(then, 2000);
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

/** The games of which a table was drawn, which is done once. */
const drawn = new Set<string>();

/**
 * Load what the next table of a game on this device needs, and draw one that nobody sees, unless the reader saves data.
 * What can't be had now is asked for when it is needed.
 */
export async function prepareHere(game: string): Promise<void> {
  const table = setTable({ ...newTable(settingFor(game)), first: 0 });
  const parts = [loadHere(), loadGamePage(game), need("rights", "table")];
  const draws = !drawn.has(game) && !savesData();
  const [dealt, drawer, loaded] = await Promise.all([
    prepareEngine(game, table),
    draws ? import("./drawAhead").catch(() => undefined) : undefined,
    Promise.all(parts).catch(() => undefined),
  ]);
  if (!dealt || !drawer || !loaded) return;
  whenIdle(() => {
    if (route.path !== "/" || drawn.has(game)) return;
    drawn.add(game);
    // What fails here fails at the table, too, which says so.
    drawer.drawAhead(table, dealt).catch(() => undefined);
  });
}
