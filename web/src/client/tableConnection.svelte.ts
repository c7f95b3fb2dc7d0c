// The connection to a table: it sends heartbeats, and one that is lost comes back by itself. What it carries is taken in by
// `liveTable.svelte.ts`; `reviewConnection.ts` is that of a review.

import type { AskHint, Hint } from "./givenHint";
import { fetchAsGuest, isSomebodyNew } from "./guest";
import type { Ask, Problem, Tell } from "./messages";
import { forgetKept } from "../shell/worker";

const LONGEST_PAUSE = 20;
/** Milliseconds between two heartbeats: empty messages, which the server answers at once. */
const BEAT = 900;
/** Heartbeats without an answer after which the connection is shown as lost; it may still come back. */
const SILENT = 2;
/** Heartbeats without an answer after which another connection is tried. */
const DEAD = 7;

/** Connections that never opened after which the network is said to block them. */
const IN_VAIN = 2;

/** Why a table can't be had at all. */
const UNAVAILABLE = ["no table", "unreadable", "revoked", "erased", "hidden", "barred"] as const;
export type Unavailable = (typeof UNAVAILABLE)[number];
export type Link = "connecting" | "open" | "lost" | Unavailable;

/** What carries the messages of a table: a WebSocket, or a table that lives in this page (`local/wire.ts`). */
export interface TableWire {
  readonly readyState: number;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send: (text: string) => void;
  close: () => void;
}

/** What a connection needs of the table, and calls. */
interface Hooks {
  /** Open a wire, for what was missed. */
  open: () => TableWire;
  /** Called with each message; with none at an answer to a heartbeat. */
  heard: (message: Tell | Hint | undefined) => void;
  /** Called when answers to what was asked may be lost. */
  interrupted: () => void;
}

export class TableConnection {
  link = $state<Link>("connecting");
  /** Seconds until the next try, while the connection is lost; 0 during one, and while an answer may still come. */
  pause = $state(0);
  /** Whether the server can be reached, but by no live connection: networks of companies and schools may let none through. */
  blocked = $state(false);

  #wire: TableWire | undefined;
  /** Whether the server was heard by it. */
  #met = false;
  #beating: ReturnType<typeof setInterval>;
  /** Heartbeats since the server was heard last. */
  #unanswered = 0;
  #tries = 0;
  /** Connections in a row that were never open though the server could be reached. */
  #inVain = 0;
  #clock: ReturnType<typeof setInterval> | undefined;
  #closed = new AbortController();

  constructor(
    private readonly table: string,
    private readonly on: Hooks,
  ) {
    const { signal } = this.#closed;
    // A device that has its network back need not wait for the end of a pause.
    addEventListener("online", () => this.link === "lost" && this.connectNow(), { signal });
    // Without a network a server on the same device is still there: the next heartbeat finds out.
    addEventListener("offline", () => this.#doubt(), { signal });
    document.addEventListener("visibilitychange", () => this.#doubt(), { signal });
    // A page that was put away, and comes back as it was, may not be told that its connection has ended meanwhile.
    addEventListener("pageshow", ({ persisted }) => persisted && this.connectNow(), { signal });
    document.addEventListener("resume", () => this.#doubt(), { signal });
    this.#connect();
    this.#beating = setInterval(() => this.#beat(), BEAT);
  }

  /** The wire of this try: another one after each. */
  get wire(): TableWire | undefined {
    return this.#wire;
  }

  get canSend(): boolean {
    return this.link !== "lost" && this.#wire?.readyState === WebSocket.OPEN;
  }

  send(message: Ask | AskHint): void {
    this.#wire?.send(JSON.stringify(message));
  }

  /** Try at once to come back, also with what has changed about oneself, for instance after sitting down. */
  connectNow(): void {
    clearInterval(this.#clock);
    this.pause = 0;
    this.#connect();
  }

  close(): void {
    this.#closed.abort();
    clearInterval(this.#beating);
    clearInterval(this.#clock);
    this.#wire?.close();
  }

  #connect(): void {
    this.#wire?.close();
    this.#met = false;
    this.#unanswered = 0;
    this.on.interrupted();
    const wire = this.on.open();
    this.#wire = wire;
    wire.onmessage = ({ data }) => {
      if (wire !== this.#wire) return;
      this.#met = true;
      this.#inVain = 0;
      this.blocked = false;
      this.#unanswered = 0;
      this.link = "open";
      this.on.heard(data ? (JSON.parse(data as string) as Tell | Hint) : undefined);
    };
    wire.onclose = () => void this.#ended(wire);
  }

  /** Ask for a sign of life, and draw the conclusions if there was none for long. */
  #beat(): void {
    // The timers of a hidden page are slow; nobody looks at it.
    if (document.hidden || !this.#wire || this.#wire.readyState > WebSocket.OPEN) return;
    if (this.#unanswered >= DEAD) {
      this.#wire.onclose = null;
      this.#wire.close();
      this.#lost();
      return;
    }
    if (this.#unanswered >= SILENT && this.link === "open") this.#showLost();
    this.#unanswered += 1;
    if (this.#wire.readyState === WebSocket.OPEN) this.#wire.send("");
  }

  /** Find out soon whether the connection is still there. */
  #doubt(): void {
    // One that has ended unnoticed is not asked.
    if (this.link === "open" && this.#wire && this.#wire.readyState > WebSocket.OPEN) return this.connectNow();
    clearInterval(this.#beating);
    this.#beating = setInterval(() => this.#beat(), BEAT);
    this.#unanswered = Math.max(this.#unanswered, SILENT - 1);
    this.#beat();
  }

  #showLost(): void {
    this.link = "lost";
    this.pause = 0;
    this.on.interrupted();
  }

  async #ended(wire: TableWire): Promise<void> {
    const unavailable = wire === this.#wire && !this.#met ? await this.#whyUnavailable() : undefined;
    // Meanwhile another try may have begun, or the page has gone on.
    if (wire !== this.#wire || this.#closed.signal.aborted) return;
    if (unavailable) this.link = unavailable;
    else this.#lost();
  }

  /** Try again in a while, the longer the more often it was in vain. */
  #lost(): void {
    if (this.#met) this.#tries = 0;
    this.#showLost();
    // A little chance, so that not everybody comes back at the same moment.
    this.pause = Math.ceil(Math.min(LONGEST_PAUSE, 2 ** this.#tries) * (0.75 + Math.random() / 2));
    this.#tries += 1;
    clearInterval(this.#clock);
    this.#clock = setInterval(() => {
      this.pause -= 1;
      if (this.pause <= 0) this.connectNow();
    }, 1000);
  }

  /** Why the table can't be had, if not for the connection: a WebSocket that is refused does not say why. */
  async #whyUnavailable(): Promise<Unavailable | undefined> {
    try {
      const signal = AbortSignal.timeout(BEAT * DEAD);
      const answer = await fetchAsGuest(`/api/tables/${encodeURIComponent(this.table)}`, { signal });
      this.#inVain = answer.ok ? this.#inVain + 1 : 0;
      this.blocked = this.#inVain >= IN_VAIN;
      const { code } = answer.ok ? {} : ((await answer.json()) as Partial<Problem>);
      if (isSomebodyNew(code)) await forgetKept();
      return UNAVAILABLE.find((one) => one === code);
    } catch {
      this.#inVain = 0;
      this.blocked = false;
      return undefined;
    }
  }
}
