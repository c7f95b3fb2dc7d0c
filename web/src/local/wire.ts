// The wire to a table that lives in this page: what a WebSocket is to a table of a server.

import type { AskHint } from "../client/givenHint";
import type { Ask } from "../client/messages";
import type { TableWire } from "../client/tableConnection.svelte";
import type { LocalTable } from "./table";

const OPEN = 1;
const CLOSED = 3;

export class LocalWire implements TableWire {
  readyState = OPEN;
  onmessage: TableWire["onmessage"] = null;
  onclose: TableWire["onclose"] = null;

  constructor(
    private readonly table: LocalTable,
    since: number,
  ) {
    table.connect(since, (text) => this.hear(text));
  }

  /** Send a message; a heartbeat, which has no text, is answered. */
  send(text: string): void {
    if (text) this.table.ask(JSON.parse(text) as Ask | AskHint);
    else queueMicrotask(() => this.hear(""));
  }

  close(): void {
    this.readyState = CLOSED;
    this.table.disconnect();
  }

  private hear(data: string): void {
    if (this.readyState === OPEN) this.onmessage?.(new MessageEvent("message", { data }));
  }
}
