// Views and hints at a table of a server, worked out in the page: the server says what the viewer knows, the engine of the
// game what that looks like, which moves there are and which are best. Listeners can't tell: they hear `position` and
// `hint` messages as if the server had sent them. `viewsWire.ts` puts them in the place of what it sends.

import type { Client } from "../engine/client";
import { EngineError } from "../engine/errors";
import type { AskHint, Hint } from "../client/givenHint";
import type { Views } from "../client/liveTable.svelte";
import type { TableWire } from "../client/tableConnection.svelte";
import type { Ask, Known, ReachableFigures, Refused, TableState, Tell } from "../client/messages";
import { allGames } from "./catalogue";
import { openEngine, prepareEngine } from "./engines";
import { findChoices } from "./findHints";
import { ViewsWire } from "./viewsWire";

/** What works out the views of one table, over as many connections as that takes. */
export class TableViews implements Views {
  #engine: Promise<Client> | undefined;
  #table: Pick<TableState, "game" | "assistance" | "hints"> | undefined;
  /** The text of the position that was heard last; nothing where the server sent a view. */
  #position: string | undefined;
  /** Its number. */
  #number = 0;
  /** Ends what is worked out for a position when that changes. */
  #thinking = new AbortController();
  #failed = false;
  #closed = false;

  get hashes(): readonly string[] {
    const works = !this.#failed && typeof WebAssembly !== "undefined" && typeof Worker !== "undefined";
    return works ? allGames().flatMap(({ engine_hash: hash }) => hash ?? []) : [];
  }

  over(socket: TableWire, failed: () => void): TableWire {
    return new ViewsWire(
      socket,
      (message) => this.#worked(message),
      (message) => (message.type === "hint" ? this.#hint(message, socket) : undefined),
      () => {
        if (this.#failed || this.#closed) return;
        this.#failed = true;
        failed();
      },
    );
  }

  get current(): boolean {
    return this.#position !== undefined;
  }

  /** Find what would be best for a seat, and have the server tell everybody. Nothing where the game goes on meanwhile. */
  async #hint({ seat }: AskHint, socket: TableWire): Promise<string | undefined> {
    const { signal } = this.#thinking;
    const [number, position] = [this.#number, this.#position];
    const refused: Refused = { type: "refused", code: "not now", message: "", why: null, wait: null };
    try {
      const engine = await this.#engine;
      if (!this.#table?.hints || !engine || position === undefined) return JSON.stringify(refused);
      socket.send(JSON.stringify({ type: "hinted" } satisfies Ask));
      const { viewer, state } = await engine.ask("readPosition", { text: position });
      const turn = await engine.ask("resume", { state, seed: "hint", moves: [] });
      if (viewer !== seat || turn.seat !== seat) return JSON.stringify(refused);
      const choices = await findChoices(engine, this.#table.assistance, signal);
      return JSON.stringify({ type: "hint", seat, number, choices } satisfies Hint);
    } catch {
      return signal.aborted ? undefined : JSON.stringify({ ...refused, code: "no engine" });
    }
  }

  async reachable(card: number): Promise<ReachableFigures> {
    const engine = await this.#engine;
    const position = this.#position;
    if (!engine || position === undefined) throw new EngineError("argument", "there is no position");
    return JSON.parse(await engine.ask("reachable", { card, position })) as ReachableFigures;
  }

  close(): void {
    this.#closed = true;
    this.#thinking.abort();
    void this.#engine?.then((engine) => engine.close()).catch(() => undefined);
  }

  /** The text that is heard in the place of a message; nothing where it is heard as it is. */
  #worked(message: Tell): Promise<string> | undefined {
    if (message.type === "table") {
      if (!this.#table) void prepareEngine(message.game);
      this.#table = message;
    }
    if (message.type === "known" || message.type === "position") {
      const position = message.type === "known" ? message.position : undefined;
      if (position !== this.#position || message.number !== this.#number) {
        this.#thinking.abort();
        this.#thinking = new AbortController();
      }
      this.#position = position;
      this.#number = message.number;
    }
    return message.type === "known" ? this.#seen(message) : undefined;
  }

  /** Rejects with an EngineError where there is no engine, or it can't read the position. */
  async #seen({ position, ...told }: Known): Promise<string> {
    const { game, assistance } = this.#table!; // a table says how it stands first
    const engine = await (this.#engine ??= openEngine(game));
    const view = await engine.ask("viewOf", { position, assistance });
    // The view is a text of the engine, in which nothing is changed.
    return `${JSON.stringify({ ...told, type: "position" }).slice(0, -1)},"view":${view}}`;
  }
}
