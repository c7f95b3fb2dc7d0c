// The way back to the server that could not be reached.

import { loadGames } from "../../core/catalogue";

/** Load the page that was asked for if the server answers by now. */
export async function reloadIfBack(): Promise<void> {
  if (!(await loadGames().catch(() => true))) location.reload();
}
