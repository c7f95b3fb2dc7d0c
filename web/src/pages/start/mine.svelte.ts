// The visitor's own tables at the server, without those that were taken out of the list.

import { titleOf } from "../../core/catalogue";
import { shelve } from "../../client/api";
import type { Waiting } from "../../client/messages";
import { refusalOf } from "../../client/refusal";
import { t } from "../../shell/words.svelte";

export class MyTables {
  #removed = $state.raw<readonly Waiting[]>([]);
  problem = $state("");

  readonly #listed: () => readonly Waiting[];
  constructor(listed: () => readonly Waiting[]) {
    this.#listed = listed;
  }

  get running(): Waiting[] {
    return this.#all.filter(({ phase }) => phase !== "over");
  }

  get finished(): Waiting[] {
    return this.#all.filter(({ phase }) => phase === "over");
  }

  /** The one that was removed last, and can be brought back. */
  get removed(): Waiting | undefined {
    return this.#removed.at(-1);
  }

  async remove(table: Waiting): Promise<void> {
    if (await this.#tell(table, true)) this.#removed = [...this.#removed, table];
  }

  async bringBack(table: Waiting): Promise<void> {
    if (await this.#tell(table, false)) this.#removed = this.#removed.filter((one) => one !== table);
  }

  get #all(): Waiting[] {
    return this.#listed().filter(({ table }) => !this.#removed.some((one) => one.table === table));
  }

  async #tell({ table }: Waiting, archived: boolean): Promise<boolean> {
    this.problem = "";
    try {
      await shelve(table, { archived });
      return true;
    } catch (error) {
      this.problem = refusalOf(error);
      return false;
    }
  }
}

/** A table in words. */
export function named({ game, names }: Waiting): { game: string; names: string } {
  return { game: titleOf(game), names: names.map((name) => name ?? t("start.open_seat")).join(", ") };
}
