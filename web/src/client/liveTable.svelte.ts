// The live connection of a table: what the server tells, and asking it for something. A connection that is lost comes
// back by itself, for exactly what was missed.

import type {
  Agree,
  Ask,
  ChatLine,
  Play,
  Position,
  Problem,
  Proof,
  ReachableFigures,
  Reacted,
  Refused,
  Sheet,
  TableState,
  Tell,
  LogEntry,
  Undo,
  Watcher,
} from "./messages";
import { type AskHint, GivenHint, type Hint } from "./givenHint";
import { fetchAsGuest, isSomebodyNew, subprotocols } from "./guest";
import { linkTo } from "../shell/base";
import { parts } from "../shell/parts.svelte";
import { randomHex } from "../shell/random";
import { device } from "../shell/store";
import { forgetKept } from "../shell/worker";

const LONGEST_PAUSE = 20;
const SIGN_SECONDS = 5;
/** Milliseconds between two heartbeats: empty messages, which the server answers at once. */
const BEAT = 900;
/** Heartbeats without an answer after which the connection is shown as lost; it may still come back. */
const SILENT = 2;
/** Heartbeats without an answer after which another connection is tried. */
const DEAD = 7;

/** Connections that never opened after which the network is said to block them. */
const IN_VAIN = 2;

/** What a browser adds to the shuffle, as the server takes it. */
const NONCE = /^[0-9a-f]{32}$/;

/** Why a table can't be had at all. */
const UNAVAILABLE = ["no table", "unreadable", "revoked", "erased", "hidden", "barred"] as const;
export type Unavailable = (typeof UNAVAILABLE)[number];
export type Link = "connecting" | "open" | "lost" | Unavailable;

/** What carries the messages of a table: a WebSocket, or a table that lives in this page (`local/wire.ts`). */
export interface Wire {
  readonly readyState: number;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send: (text: string) => void;
  close: () => void;
}

/** What works out views in the page at a table of a server, which then sends what the viewer knows. */
export interface Views {
  /** What the server knows the engines by that work them out; none where that can't be done. */
  readonly hashes: readonly string[];
  /** Return a wire that says the same as a table of views does. What can't be worked out is told to `failed`. */
  over: (socket: Wire, failed: () => void) => Wire;
  /** Whether the position that was heard last was worked out here. */
  readonly current: boolean;
  /** What can be reached with a card there. Rejects where it can't be asked. */
  reachable: (card: number) => Promise<ReachableFigures>;
}

/** A table that lives in this page, so that no server knows of it. */
export interface HereTable {
  /** Open a wire to it, for what has happened since a position. */
  open: (since: number) => Wire;
  /** The record of its game, once that is over. */
  record: () => Promise<Record<string, unknown>>;
  /** The records of the duel up to it. */
  duel: () => Promise<Record<string, unknown>[]>;
  /** What the seat to move can reach with a card. Rejects where it can't be asked. */
  reachable: (card: number) => Promise<ReachableFigures>;
}

export class LiveTable {
  link = $state<Link>("connecting");
  /** Seconds until the next try, while the connection is lost; 0 during one, and while an answer may still come. */
  pause = $state(0);
  /** Whether the server can be reached, but by no live connection: networks of companies and schools may let none through. */
  blocked = $state(false);
  news = $state.raw<TableState>();
  /** When it came, by `performance.now()`. */
  newsCame = 0;
  position = $state.raw<Position>();
  log = $state.raw<LogEntry[]>([]);
  sheet = $state.raw<Sheet>();
  /** What can be reached with a card, as it was asked last; null where that is not of the position that is shown. */
  reach = $state.raw<ReachableFigures | null>(null);
  hint = $state.raw<Hint | null>(null);
  /** A hint was asked for and has not come yet. */
  hinting = $state(false);
  proof = $state.raw<Proof>();
  /** A move, or taking one back, which the server has not answered yet. */
  pending = $state.raw<Play | Undo>();
  refused = $state.raw<Refused | { code: "offline" | "stale" | "no engine" }>();
  /** What was proposed from here and was not accepted, until it is proposed again. */
  declined = $state.raw<Agree["proposal"]>();
  /** The chat of the table, where it is switched on. */
  chat = $state.raw<ChatLine[]>([]);
  /** The numbers of the lines that were reported from here. */
  reported = $state.raw<number[]>([]);
  /** Who watches, as the host was told last. */
  watchers = $state.raw<Watcher[]>();
  /** The last sign of each seat, for some seconds. */
  signs = $state<Record<number, Reacted["sign"]>>({});

  #given: GivenHint | undefined;
  #socket: Wire | undefined;
  /** The connection by which `pending` was sent. */
  #sentBy: Wire | undefined;
  /** Whether what was proposed from here was taken back from here. */
  #withdrew = false;
  /** Whether the server was heard by it. */
  #met = false;
  #beating: ReturnType<typeof setInterval>;
  /** Heartbeats since the server was heard last. */
  #unanswered = 0;
  #tries = 0;
  /** Connections in a row that were never open though the server could be reached. */
  #inVain = 0;
  #clock: ReturnType<typeof setInterval> | undefined;
  #fading: Record<number, ReturnType<typeof setTimeout>> = {};
  #closed = new AbortController();

  constructor(
    readonly table: string,
    /** Whether it is a screen that all look at: then no hand is sent to it. */
    readonly watching = false,
    /** The table where it lives in this page; absent at one of the server. */
    readonly here?: HereTable,
    /** What works out its views at a table of the server; without it the server sends them. */
    private readonly views?: Views,
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

  /** Ask for something. What can't be sent is refused, never kept for later: the table may have moved on. */
  ask(message: Ask | AskHint): void {
    const moves = message.type === "play" || message.type === "undo";
    if (moves && this.pending) return;
    this.refused = undefined;
    if (this.link === "lost" || this.#socket?.readyState !== WebSocket.OPEN) {
      this.refused = { code: "offline" };
      return;
    }
    if (message.type === "hint") {
      if (!this.givesHints) {
        this.refused = { code: "no engine" };
        return;
      }
      this.hinting = true;
    }
    if (message.type === "decline") this.#withdrew = true;
    if (moves) this.#sendMove(message);
    else this.#socket.send(JSON.stringify(message));
  }

  /** Whether this page works out hints, and what can be reached. */
  get givesHints(): boolean {
    return this.here !== undefined || (this.position !== undefined && (this.views?.current ?? false));
  }

  /** Work out what can be reached with a card in the position that is shown. */
  async askReach(card: number): Promise<void> {
    const number = this.position?.number;
    if (!this.here) this.ask({ type: "hinted" });
    const found = await (this.here ?? this.views)?.reachable(card).catch(() => undefined);
    if (found && number === this.position?.number) this.reach = found;
  }

  /** Send a move, which is pending from now on until there is an answer. */
  #sendMove(move: Play | Undo): void {
    this.pending = move;
    this.#sentBy = this.#socket;
    this.#socket?.send(JSON.stringify(move));
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
    this.#socket?.close();
  }

  /** What this browser added to the shuffle of the table, if it did. */
  get nonce(): string | null {
    const kept = device.get(this.#nonceKey);
    return kept && NONCE.test(kept) ? kept : null;
  }

  get #nonceKey(): string {
    return `bosquet.nonce.${this.table}`;
  }

  #makeNonce(): string {
    const nonce = randomHex(16);
    device.set(this.#nonceKey, nonce);
    return nonce;
  }

  #connect(): void {
    this.#socket?.close();
    this.#met = false;
    this.#unanswered = 0;
    this.hinting = false;
    const since = this.position?.number ?? 0;
    const socket = this.here?.open(since) ?? this.#openSocket(since);
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      this.#met = true;
      this.#inVain = 0;
      this.blocked = false;
      this.#unanswered = 0;
      this.link = "open";
      if (this.refused?.code === "offline") this.refused = undefined;
      if (data) this.#hear(JSON.parse(data as string) as Tell | Hint);
    };
    socket.onclose = () => void this.#ended(socket);
  }

  #openSocket(since: number): Wire {
    const address = new URL(linkTo(`/api/tables/${encodeURIComponent(this.table)}/live`));
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("since", String(since));
    if (this.watching) address.searchParams.set("watch", "");
    const { hashes = [] } = this.views ?? {};
    if (hashes.length) address.searchParams.set("engines", hashes.join());
    const socket = new WebSocket(address, subprotocols());
    return this.views && hashes.length ? this.views.over(socket, () => this.connectNow()) : socket;
  }

  /** Ask for a sign of life, and draw the conclusions if there was none for long. */
  #beat(): void {
    // The timers of a hidden page are slow; nobody looks at it.
    if (document.hidden || !this.#socket || this.#socket.readyState > WebSocket.OPEN) return;
    if (this.#unanswered >= DEAD) {
      this.#socket.onclose = null;
      this.#socket.close();
      this.#lost();
      return;
    }
    if (this.#unanswered >= SILENT && this.link === "open") this.#showLost();
    this.#unanswered += 1;
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send("");
  }

  /** Find out soon whether the connection is still there. */
  #doubt(): void {
    // One that has ended unnoticed is not asked.
    if (this.link === "open" && this.#socket && this.#socket.readyState > WebSocket.OPEN) return this.connectNow();
    clearInterval(this.#beating);
    this.#beating = setInterval(() => this.#beat(), BEAT);
    this.#unanswered = Math.max(this.#unanswered, SILENT - 1);
    this.#beat();
  }

  #showLost(): void {
    this.link = "lost";
    this.pause = 0;
    this.hinting = false;
  }

  async #ended(socket: Wire): Promise<void> {
    const unavailable = socket === this.#socket && !this.#met ? await this.#whyUnavailable() : undefined;
    // Meanwhile another try may have begun, or the page has gone on.
    if (socket !== this.#socket || this.#closed.signal.aborted) return;
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

  #hear(message: Tell | Hint): void {
    switch (message.type) {
      case "table":
        this.#noteDeclined(message);
        this.news = message;
        this.newsCame = performance.now();
        if (
          message.phase === "waiting" &&
          message.first !== "open" &&
          message.mine.some((seat) => !message.seats[seat]?.ready)
        ) {
          this.ask({ type: "ready", nonce: this.nonce ?? this.#makeNonce() });
        }
        break;
      case "position":
        this.#see(message);
        break;
      case "renew":
        parts.renew();
        break;
      case "sheet":
        this.sheet = message.sheet;
        break;
      case "hint":
        this.hinting = false;
        if (message.number !== this.position?.number) break;
        this.hint = message;
        this.#given = new GivenHint(message);
        break;
      case "proof":
        this.proof = message;
        break;
      case "reacted":
        this.#show(message);
        break;
      case "chat": {
        const { lines } = message;
        const first = lines[0]?.number ?? 0;
        const before = this.chat.filter(({ number }) => number < first);
        const after = this.chat.filter(({ number }) => number > (lines.at(-1)?.number ?? 0));
        this.chat = [...before, ...lines, ...after];
        break;
      }
      case "reported":
        this.reported = [...this.reported, message.number];
        break;
      case "watchers":
        this.watchers = message.watchers;
        break;
      case "refused":
        this.#refuse(message);
        break;
    }
  }

  #refuse(refused: Refused): void {
    this.refused = refused;
    this.hinting = false;
    this.pending = undefined;
  }

  /** What was proposed from here and is proposed no more, while the game goes on, was declined. */
  #noteDeclined({ phase, seats }: TableState): void {
    const before = this.news?.seats.find(({ agrees }, seat) => agrees && this.news?.mine.includes(seat))?.agrees;
    const proposed = seats.some(({ agrees }) => agrees);
    if (proposed || phase !== "playing") this.declined = undefined;
    else if (before && !this.#withdrew) this.declined = before;
    if (!proposed) this.#withdrew = false;
  }

  #see(position: Position): void {
    const first = position.entries[0]?.number ?? position.number;
    this.log = [...this.log.filter((line) => line.number < first), ...position.entries];
    const before = this.position;
    // A hint that was being found is not of this position, or not for who looks at it now.
    if (position.number !== before?.number || position.viewpoint !== before.viewpoint) this.hinting = false;
    if (position.number !== before?.number) {
      this.reach = null;
      this.hint = this.#given?.follow(position.number, position.entries) ?? null;
      this.refused = undefined;
    }
    this.position = position;
    if (!this.pending) return;
    const lost = this.#sentBy !== this.#socket;
    if (position.number !== this.pending.number) {
      // Whether it arrived is known by what was done in its position.
      if (lost && !this.#isMade(this.pending)) this.refused = { code: "stale" };
      this.pending = undefined;
    } else if (lost) this.#sendMove(this.pending);
  }

  #isMade(pending: Play | Undo): boolean {
    const entry = this.log.find(({ number }) => number === pending.number);
    if (entry?.seat !== pending.seat) return false;
    return pending.type === "undo" ? entry.undo : entry.say === pending.move;
  }

  #show({ seat, sign }: Reacted): void {
    if (sign === "hint" && this.news?.mine.includes(seat)) return;
    this.signs[seat] = sign;
    clearTimeout(this.#fading[seat]);
    this.#fading[seat] = setTimeout(() => delete this.signs[seat], SIGN_SECONDS * 1000);
  }
}
