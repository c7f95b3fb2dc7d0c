// Opening a table and going there.

import { ApiError, invitePerson, openTable } from "../../../server/api";
import { refusal } from "../../../server/refusal";
import { keep, setTable } from "../../../local/kept";
import { t } from "../../../shell/words.svelte";
import { route } from "../../../shell/route.svelte";
import { newTable, type Setting } from "./setting";

export class Opening {
  /** The game of the table that is or was last being opened. */
  game = $state<string>();
  busy = $state(false);
  problem = $state("");

  /** Set a table on this device, in the place of that of the same game, and go there. */
  async openHere(setting: Setting): Promise<void> {
    await keep(setTable(newTable(setting)));
    route.go(`/here/${setting.game}`);
  }

  /** Open a table; `person`, who is known from a list, is invited to a free seat. */
  async open(setting: Setting, query = "", person?: string): Promise<void> {
    if (this.busy) return;
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
      this.problem = box ? t("start.box_refused", { problem: error.message }) : refusal(error);
    } finally {
      this.busy = false;
    }
  }
}
