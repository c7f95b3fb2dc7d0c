// The live connection of a table: what the server tells, and asking it for something. A connection that is lost comes
// back by itself, for exactly what was missed.

import type {
  Ask,
  Hint,
  Position,
  Proof,
  ReachableFigures,
  Reacted,
  Refused,
  Sheet,
  TableState,
  Tell,
  LogEntry,
} from "./messages";

const LONGEST_PAUSE = 20;
const SIGN_SECONDS = 5;

/** Why a table can't be had at all. */
export type Unavailable = "no table" | "unreadable";
export type Link = "connecting" | "open" | "lost" | Unavailable;

export class Live {
  link = $state<Link>("connecting");
  /** Seconds until the next try, while the connection is lost; 0 during one. */
  pause = $state(0);
  news = $state.raw<TableState>();
  position = $state.raw<Position>();
  log = $state.raw<LogEntry[]>([]);
  sheet = $state.raw<Sheet>();
  reach = $state.raw<ReachableFigures | null>(null);
  hint = $state.raw<Hint | null>(null);
  /** A hint was asked for and has not come yet. */
  hinting = $state(false);
  proof = $state.raw<Proof>();
  refused = $state.raw<Refused | { code: "offline" }>();
  /** The last sign of each seat, for some seconds. */
  signs = $state<Record<number, Reacted["sign"]>>({});

  #socket: WebSocket | undefined;
  #tries = 0;
  #clock: ReturnType<typeof setInterval> | undefined;
  #fading: Record<number, ReturnType<typeof setTimeout>> = {};
  #closed = new AbortController();

  constructor(readonly table: string) {
    // A device that has its network back need not wait for the end of a pause.
    addEventListener("online", () => this.link === "lost" && this.connectNow(), { signal: this.#closed.signal });
    this.#connect();
  }

  /** Ask for something. What can't be sent is refused, never kept for later: the table may have moved on. */
  ask(message: Ask): void {
    this.refused = undefined;
    if (message.type === "hint") this.hinting = true;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
    else {
      this.refused = { code: "offline" };
      this.hinting = false;
    }
  }

  /** Try at once to come back, also with what has changed about oneself, for instance after sitting down. */
  connectNow(): void {
    clearInterval(this.#clock);
    this.pause = 0;
    this.#connect();
  }

  close(): void {
    this.#closed.abort();
    clearInterval(this.#clock);
    this.#socket?.close();
  }

  /** What this browser added to the shuffle of the table, if it did. */
  get nonce(): string | null {
    return localStorage.getItem(this.#nonceKey);
  }

  get #nonceKey(): string {
    return `bosquet.nonce.${this.table}`;
  }

  #makeNonce(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    const nonce = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    localStorage.setItem(this.#nonceKey, nonce);
    return nonce;
  }

  #connect(): void {
    this.#socket?.close();
    const address = new URL(`/api/tables/${encodeURIComponent(this.table)}/live`, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("since", String(this.position?.number ?? 0));
    const socket = new WebSocket(address);
    this.#socket = socket;
    let met = false;
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      met = true;
      this.#hear(JSON.parse(data) as Tell);
    };
    socket.onclose = () => void this.#lost(socket, met);
  }

  async #lost(socket: WebSocket, met: boolean): Promise<void> {
    const unavailable = met ? undefined : await this.#whyUnavailable();
    // Meanwhile another try may have begun, or the page has gone on.
    if (socket !== this.#socket || this.#closed.signal.aborted) return;
    if (unavailable) {
      this.link = unavailable;
      return;
    }
    if (met) this.#tries = 0;
    this.link = "lost";
    this.hinting = false;
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
      const { status } = await fetch(`/api/tables/${encodeURIComponent(this.table)}`);
      return status === 404 ? "no table" : status === 410 ? "unreadable" : undefined;
    } catch {
      return undefined;
    }
  }

  #hear(message: Tell): void {
    this.link = "open";
    switch (message.type) {
      case "table":
        this.news = message;
        if (message.phase === "waiting" && message.mine.some((seat) => !message.seats[seat]?.ready)) {
          this.ask({ type: "ready", nonce: this.nonce ?? this.#makeNonce() });
        }
        break;
      case "position":
        this.#see(message);
        break;
      case "sheet":
        this.sheet = message.sheet;
        break;
      case "answered":
        if (message.number === this.position?.number) this.reach = message.answer as ReachableFigures;
        break;
      case "hint":
        this.hinting = false;
        if (message.number === this.position?.number) this.hint = message;
        break;
      case "proof":
        this.proof = message;
        break;
      case "reacted":
        this.#show(message);
        break;
      case "refused":
        this.refused = message;
        this.hinting = false;
        break;
    }
  }

  #see(position: Position): void {
    const first = position.entries[0]?.number ?? position.number;
    this.log = [...this.log.filter((line) => line.number < first), ...position.entries];
    if (position.number !== this.position?.number) {
      this.reach = this.hint = null;
      this.hinting = false;
      this.refused = undefined;
    }
    this.position = position;
  }

  #show({ seat, sign }: Reacted): void {
    this.signs[seat] = sign;
    clearTimeout(this.#fading[seat]);
    this.#fading[seat] = setTimeout(() => delete this.signs[seat], SIGN_SECONDS * 1000);
  }
}
