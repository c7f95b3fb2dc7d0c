// A wire of a table on which some messages are replaced before they are heard, and some questions are answered in the page.
// `tableViews.ts` says which and by what.

import type { AskHint } from "../client/givenHint";
import type { Ask, Tell } from "../client/messages";
import type { TableWire } from "../client/tableConnection.svelte";

/** All messages are heard in their order. */
export class ViewsWire implements TableWire {
  onmessage: TableWire["onmessage"] = null;
  onclose: TableWire["onclose"] = null;
  /** What was heard last and is not passed on yet. */
  #last: Promise<void> | undefined;
  #ended = false;

  constructor(
    private readonly socket: TableWire,
    private readonly worked: (message: Tell) => Promise<string> | undefined,
    /** The answer to what is asked, where the server is not asked. */
    private readonly answered: (message: Ask | AskHint) => Promise<string | undefined> | undefined,
    private readonly failed: () => void,
  ) {
    socket.onmessage = ({ data }) => this.#hear(data as string);
    socket.onclose = (event) => this.#next(() => this.onclose?.(event));
  }

  get readyState(): number {
    return this.socket.readyState;
  }

  send(text: string): void {
    const answer = text ? this.answered(JSON.parse(text) as Ask | AskHint) : undefined;
    if (answer) void answer.then((told) => told && this.#next(() => this.#pass(told)));
    else this.socket.send(text);
  }

  close(): void {
    this.#ended = true;
    this.socket.close();
  }

  /** An answer to a heartbeat waits for nothing. */
  #hear(text: string): void {
    const worked = text ? this.worked(JSON.parse(text) as Tell) : undefined;
    if (!text) this.#pass(text);
    else if (worked) this.#next(async () => this.#pass(await worked));
    else this.#next(() => this.#pass(text));
  }

  #pass(data: string): void {
    if (!this.#ended) this.onmessage?.(new MessageEvent("message", { data }));
  }

  /** Do something when all before it is done: at once where nothing waits. */
  #next(work: () => void | Promise<void>): void {
    const before = this.#last;
    const done = before ? before.then(work) : work();
    if (!done) return;
    const last: Promise<void> = done
      .catch(() => this.failed())
      .finally(() => {
        if (this.#last === last) this.#last = undefined;
      });
    this.#last = last;
  }
}
