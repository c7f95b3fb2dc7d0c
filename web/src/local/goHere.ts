// The way from a press on a button to a new table on this device.

import { secretAhead } from "../core/engines";
import type { NewTable } from "../client/messages";
import { route } from "../shell/route.svelte";
import { herePath, saveNewTable, setTable } from "./savedTables";

/** Set a table, and go there. A second press on the button, which stays until the table is drawn, does nothing. */
export function goHere(wish: NewTable, query = ""): void {
  if (route.path.startsWith("/here/")) return;
  const table = setTable(wish, wish.box ? undefined : secretAhead(wish.game, wish.options));
  void saveNewTable(table); // it is there at once; that it is kept may take a while
  route.go(herePath(table) + query);
}
