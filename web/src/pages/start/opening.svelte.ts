// Opening a table and going there.

import { openTable } from "../../lib/api";
import type { GameName } from "../../lib/games";
import { route } from "../../lib/route.svelte";
import { newTable, type Setting } from "./setting";

export class Opening {
  /** The game of the table that is or was last being opened. */
  game = $state<GameName>();
  busy = $state(false);
  problem = $state("");

  async open(setting: Setting, query = ""): Promise<void> {
    if (this.busy) return;
    this.game = setting.game;
    this.busy = true;
    this.problem = "";
    try {
      const { table } = await openTable(newTable(setting));
      route.go(`/table/${table}${query}`);
    } catch (error) {
      this.problem = (error as Error).message;
    } finally {
      this.busy = false;
    }
  }
}
