// A table on this device, as a page shows it: taken up where it was left.

import { openEngine } from "../core/engines";
import { MOST_ENGINES } from "../engine/bots";
import type { Client } from "../engine/client";
import { EngineError, type Reason } from "../engine/errors";
import { LiveTable } from "../client/liveTable.svelte";
import { begunBy, herePath, saveTable, savedTable, recordOf, setAgain } from "./savedTables";
import type { GameRecord, SavedDuel, SavedTable } from "./reading";
import { type Engines, LocalTable } from "./table";
import { LocalWire } from "./wire";

/** Why there is no table: none is kept, or another engine made it; its own can't be had; another tab has gone on with it. */
export type Missing = "gone" | "unreadable" | "engine" | "elsewhere";

/** What the engine says of moves and options that can't be. */
const UNREADABLE: Reason[] = ["move", "argument"];
/** Tabs tell each other which table they take up. */
const CHANNEL = "bosquet.here";

export class Here {
  /** The connection to the table, another one for each game. */
  live = $state.raw<LiveTable>();
  missing = $state<Missing>();
  /** The table at which somebody has to say who begins. */
  waiting = $state.raw<SavedTable>();
  /** Whether the table outlasts the page. */
  kept = $state(true);
  readonly #engines: Client[] = [];
  /** How many engines were asked for. */
  #asked = 1;
  #table: LocalTable | undefined;
  readonly #tabs = channel();
  #closed = false;

  constructor(
    readonly game: string,
    /** The table; another one when there is another game. */
    private id: string,
  ) {
    if (this.#tabs) this.#tabs.onmessage = ({ data }) => data === this.id && this.#give();
    void this.takeUp();
  }

  /** Go on with the table that is kept. */
  async takeUp(): Promise<void> {
    this.#tabs?.postMessage(this.id);
    const table = await savedTable(this.id);
    if (table?.game !== this.game) this.missing = "gone";
    else if (table.open) this.waiting = table;
    else await this.#begin(table);
  }

  /** Say who begins. */
  async sayFirst(seat: number): Promise<void> {
    if (!this.waiting) return;
    const table = begunBy(this.waiting, seat);
    this.waiting = undefined;
    await this.#begin(table);
  }

  close(): void {
    this.#closed = true;
    this.#tabs?.close();
    this.#leave();
    for (const engine of this.#engines) engine.close();
  }

  async #begin(table: SavedTable): Promise<void> {
    this.#leave();
    this.missing = undefined;
    try {
      const found = await LocalTable.open(await this.#enginesFor(table), table, {
        changed: () => void this.#keep(table),
        again: (duel) => void this.#playAgain(table, duel),
      });
      if (this.#closed) return found.close();
      this.#table = found;
      this.live = new LiveTable(table.id, false, {
        open: (since) => new LocalWire(found, since),
        record: () => found.record(),
        reachable: (card) => found.reachable(card),
        duel: () => recordsOf(table),
      });
      await this.#keep(table);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.missing = UNREADABLE.includes(error.reason) ? "unreadable" : "engine";
    }
  }

  /** Play another game; the way back leads to where the first one was opened. */
  async #playAgain(table: SavedTable, duel: SavedDuel | null): Promise<void> {
    const next = setAgain(table, duel);
    this.id = next.id;
    history.replaceState(history.state, "", herePath(next));
    await this.#begin(next);
  }

  /**
   * The engines of a table: as many as its bots search with, and as the device has cores. The game begins with the first
   * one; the others help as soon as they are there.
   */
  async #enginesFor({ seats }: SavedTable): Promise<Engines> {
    const [first] = this.#engines.length ? this.#engines : [await this.#openEngine()];
    const { facts } = first!;
    const wanted = Math.max(...seats.map(({ bot }) => facts.bots[bot ?? ""]?.engines ?? 1));
    const most = Math.min(wanted, MOST_ENGINES, navigator.hardwareConcurrency || 1);
    // Without one of them the bot searches with the others.
    for (; this.#asked < most; this.#asked += 1) this.#openEngine().catch(() => undefined);
    return { clients: this.#engines as [Client, ...Client[]], facts };
  }

  async #openEngine(): Promise<Client> {
    const engine = await openEngine(this.game);
    if (this.#closed) engine.close();
    this.#engines.push(engine);
    return engine;
  }

  async #keep(table: SavedTable): Promise<void> {
    this.kept = await saveTable(table);
  }

  /** Leave the table to another tab, which has taken it up. */
  #give(): void {
    this.#leave();
    this.waiting = undefined;
    this.missing = "elsewhere";
  }

  #leave(): void {
    this.live?.close();
    this.live = undefined;
    this.#table?.close();
    this.#table = undefined;
  }
}

/** Return the records of a duel up to the game of a table; those that were deleted are left out. */
async function recordsOf({ duel, record }: SavedTable): Promise<GameRecord[]> {
  const before = await Promise.all((duel?.tables ?? []).map(recordOf));
  return [...before, record].filter((one) => one !== null);
}

/** Return what tabs tell each other by; undefined where a browser has no such thing, or refuses it. */
function channel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(CHANNEL);
  } catch {
    return undefined;
  }
}
