// The table of a game on this device, as a page shows it: taken up where it was left, or set anew.

import { entryOf } from "../core/catalogue";
import { type Client, open } from "../engine/client";
import { EngineError, type Reason } from "../engine/errors";
import { Live } from "../server/live.svelte";
import { keep, type KeptTable, keptTable, setAgain } from "./kept";
import { type Engines, LocalTable } from "./table";
import { LocalWire } from "./wire";

/** Why there is no table: its engine can't be had, what is kept can't be read, or another tab has gone on with it. */
export type Missing = "engine" | "unreadable" | "elsewhere";

/** What the engine says of moves and options that can't be. */
const UNREADABLE: Reason[] = ["move", "argument"];
/** Tabs tell each other which table they take up. */
const CHANNEL = "bosquet.here";

export class Here {
  /** The connection to the table, another one for each game. */
  live = $state.raw<Live>();
  missing = $state<Missing>();
  /** Whether the table outlasts the page. */
  kept = $state(true);
  #engines: Client[] = [];
  #table: LocalTable | undefined;
  readonly #tabs = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(CHANNEL);
  #closed = false;

  constructor(
    readonly game: string,
    /** Sets a table where none is kept. */
    private readonly set: () => KeptTable,
  ) {
    if (this.#tabs) this.#tabs.onmessage = ({ data }) => data === game && this.#give();
    void this.takeUp();
  }

  /** Go on with the table that is kept, or set one. */
  async takeUp(): Promise<void> {
    this.#tabs?.postMessage(this.game);
    await this.#begin((await keptTable(this.game)) ?? this.set());
  }

  /** Set a table in the place of one that can't be read. */
  setAnew(): Promise<void> {
    return this.#begin(this.set());
  }

  close(): void {
    this.#closed = true;
    this.#tabs?.close();
    this.#leave();
    for (const engine of this.#engines) engine.close();
  }

  async #begin(table: KeptTable): Promise<void> {
    this.#leave();
    this.missing = undefined;
    try {
      const found = await LocalTable.open(await this.#enginesFor(table), table, {
        changed: () => void this.#keep(table),
        again: () => void this.#begin(setAgain(table)),
      });
      if (this.#closed) return found.close();
      this.#table = found;
      this.live = new Live(this.game, false, (since) => new LocalWire(found, since));
      await this.#keep(table);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.missing = UNREADABLE.includes(error.reason) ? "unreadable" : "engine";
    }
  }

  /** The engines of a table: as many as its bots search with, and as the device has cores. */
  async #enginesFor({ seats }: KeptTable): Promise<Engines> {
    const [first] = this.#engines.length ? this.#engines : [await this.#openEngine()];
    const { facts } = first!;
    const wanted = Math.max(...seats.map(({ bot }) => facts.bots[bot ?? ""]?.engines ?? 1));
    const most = Math.min(wanted, navigator.hardwareConcurrency || 1);
    while (this.#engines.length < most) await this.#openEngine();
    return { clients: this.#engines as [Client, ...Client[]], facts };
  }

  async #openEngine(): Promise<Client> {
    const address = entryOf(this.game)?.engine;
    if (!address) throw new EngineError("unavailable", `${this.game} has no engine`);
    const engine = await open({ address, game: this.game });
    if (this.#closed) engine.close();
    this.#engines.push(engine);
    return engine;
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
