// A record that is looked at: read by the engine of its game in the page, or by the server if the game has none.

import { entryOf } from "../../core/catalogue";
import { openEngine } from "../../core/engines";
import { MOST_ENGINES } from "../../engine/bots";
import type { Client } from "../../engine/client";
import { EngineError } from "../../engine/errors";
import type { Turn } from "../../engine/protocol";
import { ApiError, replay as replayAtServer } from "../../client/api";
import type { Frame, Replay, ReplayRequest, Sheet } from "../../client/messages";
import { t } from "../../shell/words.svelte";
import { peopleIn } from "./people";

type GameRecord = ReplayRequest["record"];
export type Viewpoint = NonNullable<ReplayRequest["viewpoint"]>;

/** A record that an engine has read. */
export interface Opened {
  client: Client;
  game: Replay["game"];
  turn: Turn;
  names: string[];
  bots: (string | null)[];
}

export class Study {
  #record: GameRecord | undefined;
  #opened: Promise<Opened | undefined> = Promise.resolve(undefined);
  #clients: Client[] = [];

  /** Have a record read; once, however often it is asked for. Nothing for a game without an engine. Raises ApiError. */
  open(record: GameRecord): Promise<Opened | undefined> {
    if (record !== this.#record) {
      this.close();
      this.#record = record;
      this.#opened = this.#answer(record, this.#read(record));
    }
    return this.#opened;
  }

  /** All positions of a record. Raises ApiError. */
  async replay(record: GameRecord, viewpoint: Viewpoint): Promise<Replay> {
    const opened = await this.open(record);
    return opened ? this.#answer(record, framesOf(opened, viewpoint)) : replayAtServer({ record, viewpoint });
  }

  /** Engines that have read the record which is open: as many as the device has cores. Raises EngineError. */
  async engines(): Promise<[Client, ...Client[]]> {
    const [record, first] = [this.#record, this.#clients[0]];
    if (!record || !first) throw new EngineError("argument", "no engine has read a record");
    const most = Math.min(MOST_ENGINES, navigator.hardwareConcurrency || 1);
    const more = Math.max(0, most - this.#clients.length);
    await Promise.all(
      Array.from({ length: more }, async () => (await this.#openEngine(record)).ask("read", { record })),
    );
    return [first, ...this.#clients.slice(1)];
  }

  /** End the engines. */
  close(): void {
    for (const client of this.#clients) client.close();
    this.#clients = [];
    this.#record = undefined;
  }

  async #openEngine(record: GameRecord): Promise<Client> {
    const client = await openEngine(String(record["game"]));
    if (record === this.#record) this.#clients.push(client);
    else client.close();
    return client;
  }

  /** Have a record read. Raises ApiError, EngineError. */
  async #read(record: GameRecord): Promise<Opened | undefined> {
    if (!entryOf(String(record["game"]))?.engine) return undefined;
    try {
      const client = await this.#openEngine(record);
      const turn = await client.ask("read", { record });
      const { players } = record["options"] as { players: number };
      const game = record["game"] as Replay["game"];
      return { client, game, turn, ...peopleIn(record, players) };
    } catch (error) {
      if (error instanceof EngineError) throw error;
      throw new ApiError("malformed", "the record is nested too deeply"); // it can't be sent to the worker
    }
  }

  /** What was asked about a record. Of one that is no longer open there is no answer. Raises ApiError. */
  async #answer<Value>(record: GameRecord, asked: Promise<Value>): Promise<Value> {
    try {
      return await asked;
    } catch (error) {
      if (record !== this.#record) return new Promise(() => {});
      if (!(error instanceof EngineError)) throw error;
      if (error.reason === "record") throw new ApiError("malformed", error.message);
      throw new ApiError("unavailable", t("common.no_engine"));
    }
  }
}

async function framesOf(opened: Opened, viewpoint: Viewpoint): Promise<Replay> {
  const { client, turn, game, names, bots } = opened;
  const viewer = viewpoint === "spectator" ? null : viewpoint;
  const [frames, sheet] = await Promise.all([client.ask("frames", { viewpoint: viewer }), client.ask("sheet", null)]);
  return {
    game,
    names,
    bots,
    frames: JSON.parse(frames) as Frame[],
    sheet: JSON.parse(sheet) as Sheet,
    ending: turn.outcome?.ending ?? null,
  };
}
