// The table of a game on this device, as a page shows it: taken up where it was left, or set anew.

import { entryOf } from "../core/catalogue";
import { open, type Client } from "../engine/client";
import { EngineError } from "../engine/errors";
import { settingFor, newTable } from "../pages/start/setting/setting";
import { Live } from "../server/live.svelte";
import { keep, type KeptTable, keptTable, setAgain, setTable } from "./kept";
import { LocalTable } from "./table";
import { LocalWire } from "./wire";

/** Why there is no table: its engine can't be had, what is kept can't be read, or another tab has gone on with it. */
export type Missing = "engine" | "unreadable" | "elsewhere";

/** Tabs tell each other which table they take up. */
const CHANNEL = "bosquet.here";

export class Here {
  /** The connection to the table, another one for each game. */
  live = $state.raw<Live>();
  missing = $state<Missing>();
  /** Whether the table outlasts the page. */
  kept = $state(true);
  #client: Client | undefined;
  #table: LocalTable | undefined;
  readonly #tabs = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(CHANNEL);
  #closed = false;

  constructor(readonly game: string) {
    if (this.#tabs) this.#tabs.onmessage = ({ data }) => data === game && this.#give();
    void this.takeUp();
  }

  /** Go on with the table that is kept, or set one. */
  async takeUp(): Promise<void> {
    this.#tabs?.postMessage(this.game);
    await this.#begin((await keptTable(this.game)) ?? setTable(newTable(settingFor(this.game))));
  }

  /** Set the table anew, for the same people or, where what was kept can't be read, for one. */
  setAnew(): Promise<void> {
    return this.#begin(setTable(newTable(settingFor(this.game))));
  }

  close(): void {
    this.#closed = true;
    this.#tabs?.close();
    this.#leave();
    this.#client?.close();
  }

  async #begin(table: KeptTable): Promise<void> {
    this.#leave();
    this.missing = undefined;
    try {
      const client = (this.#client ??= await this.#openEngine());
      const found = await LocalTable.open(client, table, {
        changed: () => void this.#keep(table),
        again: () => void this.#begin(setAgain(table)),
      });
      if (this.#closed) return found.close();
      this.#table = found;
      this.live = new Live(this.game, false, (since) => new LocalWire(found, since));
      await this.#keep(table);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.missing = error.reason === "move" ? "unreadable" : "engine";
    }
  }

  async #openEngine(): Promise<Client> {
    const address = entryOf(this.game)?.engine;
    if (!address) throw new EngineError("unavailable", `${this.game} has no engine`);
    const client = await open({ address, game: this.game });
    if (this.#closed) client.close();
    return client;
  }

  async #keep(table: KeptTable): Promise<void> {
    this.kept = await keep(table);
  }

  /** Leave the table to another tab, which has taken it up. */
  #give(): void {
    this.#leave();
    this.missing = "elsewhere";
  }

  #leave(): void {
    this.live?.close();
    this.live = undefined;
    this.#table?.close();
    this.#table = undefined;
  }
}
