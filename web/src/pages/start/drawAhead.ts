// A table is drawn that nobody sees, and thrown away: a browser compiles what is called, and reads each template, once, so
// that the first table that is played need not wait for that.

import { flushSync, mount, unmount } from "svelte";
import type { Dealt } from "../../core/engines";
import { loadGamePage } from "../../games/folders";
import Playing from "../../play/Playing.svelte";
import { type HereTable, LiveTable } from "../../client/liveTable.svelte";
import type { Position } from "../../client/messages";
import type { SavedTable } from "../../local/reading";
import { stateOf } from "../../local/state";

/** A table that says nothing, and is asked for nothing. */
const SILENT: HereTable = {
  open: () => ({ readyState: WebSocket.CLOSED, onmessage: null, onclose: null, send() {}, close() {} }),
  record: () => Promise.reject(new Error("no game")),
  reachable: () => Promise.reject(new Error("no game")),
  duel: () => Promise.resolve([]),
};

/** Draw a table as it was dealt, seen from the first seat; nothing stays of it, also where that fails. */
export async function drawAhead(kept: SavedTable, { turn, view }: Pick<Dealt, "turn" | "view">): Promise<void> {
  const game = await loadGamePage(kept.game);
  const news = stateOf(kept, {
    turn,
    resigned: new Set(),
    givesHints: true,
    botAt: (seat) => kept.seats[seat]?.bot ?? null,
  });
  const position: Position = {
    type: "position",
    number: 0,
    viewpoint: 0,
    undo: false,
    entries: [],
    view: JSON.parse(view) as Position["view"],
  };
  const live = new LiveTable(kept.id, false, SILENT);
  let drawn: ReturnType<typeof mount> | undefined;
  try {
    drawn = mount(Playing, { target: document.createElement("div"), props: { game, live, news, position } });
    flushSync();
  } finally {
    if (drawn) void unmount(drawn);
    live.close();
  }
}
