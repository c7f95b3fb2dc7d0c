// Opening a table and going there.

import { ApiError, invitePerson, openTable } from "../../../client/api";
import { refusal } from "../../../client/refusal";
import { isAway } from "../../../core/catalogue";
import { openEngine } from "../../../core/engines";
import { EngineError } from "../../../engine/errors";
import { goHere } from "../../../local/goHere";
import type { NewTable } from "../../../client/messages";
import { t } from "../../../shell/words.svelte";
import { route } from "../../../shell/route.svelte";
import { mayBeHere, newTable, type Setting } from "./setting";

export class Opening {
  /** The game of the table that is or was last being opened. */
  game = $state<string>();
  busy = $state(false);
  problem = $state("");

  /** Begin a game on this device where that is possible, else at the server. */
  begin(setting: Setting, query = ""): void {
    void (mayBeHere(setting) ? this.openHere(setting, query) : this.open(setting, query));
  }

  /** Set a table on this device, and go there. */
  async openHere(setting: Setting, query = ""): Promise<void> {
    if (this.busy) return;
    this.game = setting.game;
    this.problem = "";
    const wish = $state.snapshot(newTable(setting)) as NewTable;
    if (wish.box) {
      this.busy = true;
      try {
        wish.box = await checkedBox(wish);
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        if (error.reason === "argument") this.problem = boxRefused(error);
        // Why there is no engine, the table says.
      } finally {
        this.busy = false;
      }
      if (this.problem) return;
    }
    goHere(wish, query);
  }

  /**
   * Open a table, on this device where there is no server; `person`, who is known from a list, is invited to a free seat.
   * A second press on the button, which stays until the table is drawn, does nothing.
   */
  async open(setting: Setting, query = "", person?: string): Promise<void> {
    if (this.busy || route.isAtTable) return;
    if (isAway()) return this.openHere(setting, query);
    this.game = setting.game;
    this.busy = true;
    this.problem = "";
    try {
      const { table } = await openTable(newTable(setting));
      if (person && setting.chairs.some(({ sitter }) => sitter === "friend")) {
        // Where that fails, the table's page offers it again, and the link.
        await invitePerson(person, table).catch(() => undefined);
      }
      route.go(`/${setting.screen ? "screen" : "table"}/${table}${query}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const box = setting.box !== null && error.code === "malformed";
      this.problem = box ? boxRefused(error) : refusal(error);
    } finally {
      this.busy = false;
    }
  }
}

/** Return the box of a table as keys of a deal, null for that of the house. Raises EngineError. */
async function checkedBox({ game, options, box }: NewTable): Promise<Record<string, unknown> | null> {
  const engine = await openEngine(game);
  try {
    return await engine.ask("box", { options, box });
  } finally {
    engine.close();
  }
}

function boxRefused({ message }: Error): string {
  return t("start.box_refused", { problem: message });
}
