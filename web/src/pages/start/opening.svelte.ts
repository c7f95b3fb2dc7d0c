// Opening a table and going there.

import { ApiError, openTable } from "../../lib/api";
import type { GameName } from "../../lib/games";
import { refusal } from "../../lib/refusal";
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
      if (!(error instanceof ApiError)) throw error;
      this.problem = refusal(error);
    } finally {
      this.busy = false;
    }
  }
}
