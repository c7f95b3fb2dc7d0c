// A table as the page knows it: how it stands, log, chat, hint and reactions, as the server or a table in this page tells
// them, and asking for something. `tableConnection.svelte.ts` carries the messages, and comes back for what was missed.

import type {
  Agree,
  Ask,
  ChatLine,
  Play,
  Position,
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
import { subprotocols } from "./guest";
import { type Link, TableConnection, type TableWire } from "./tableConnection.svelte";
import { linkTo } from "../shell/base";
import { parts } from "../shell/parts.svelte";
import { randomHex } from "../shell/random";
import { device } from "../shell/store";

const SIGN_SECONDS = 5;
/** What a browser adds to the shuffle, as the server takes it. */
const NONCE = /^[0-9a-f]{32}$/;

/** What works out views in the page at a table of a server, which then sends what the viewer knows. */
export interface Views {
  /** What the server knows the engines by that work them out; none where that can't be done. */
  readonly hashes: readonly string[];
  /** Return a wire that says the same as a table of views does. What can't be worked out is told to `failed`. */
  over: (socket: TableWire, failed: () => void) => TableWire;
  /** Whether the position that was heard last was worked out here. */
  readonly current: boolean;
  /** What can be reached with a card there. Rejects where it can't be asked. */
  reachable: (card: number) => Promise<ReachableFigures>;
}

/** A table that lives in this page, so that no server knows of it. */
export interface HereTable {
  /** Open a wire to it, for what has happened since a position. */
  open: (since: number) => TableWire;
  /** The record of its game, once that is over. */
  record: () => Promise<Record<string, unknown>>;
  /** The records of the duel up to it. */
  duel: () => Promise<Record<string, unknown>[]>;
  /** What the seat to move can reach with a card. Rejects where it can't be asked. */
  reachable: (card: number) => Promise<ReachableFigures>;
}

export class LiveTable {
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
  /** The wire by which `pending` was sent. */
  #sentBy: TableWire | undefined;
  /** Whether what was proposed from here was taken back from here. */
  #withdrew = false;
  #fading: Record<number, ReturnType<typeof setTimeout>> = {};
  readonly #connection: TableConnection;

  constructor(
    readonly table: string,
    /** Whether it is a screen that all look at: then no hand is sent to it. */
    readonly watching = false,
    /** The table where it lives in this page; absent at one of the server. */
    readonly here?: HereTable,
    /** What works out its views at a table of the server; without it the server sends them. */
    private readonly views?: Views,
  ) {
    this.#connection = new TableConnection(table, {
      open: () => this.#open(),
      heard: (message) => this.#heard(message),
      // A hint that is being found is lost with the wire.
      interrupted: () => (this.hinting = false),
    });
  }

  get link(): Link {
    return this.#connection.link;
  }

  get pause(): number {
    return this.#connection.pause;
  }

  get blocked(): boolean {
    return this.#connection.blocked;
  }

  /** Try at once to come back, also with what has changed about oneself, for instance after sitting down. */
  connectNow(): void {
    this.#connection.connectNow();
  }

  close(): void {
    this.#connection.close();
  }

  /** Ask for something. What can't be sent is refused, never kept for later: the table may have moved on. */
  ask(message: Ask | AskHint): void {
    const moves = message.type === "play" || message.type === "undo";
    if (moves && this.pending) return;
    this.refused = undefined;
    if (!this.#connection.canSend) {
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
    else this.#connection.send(message);
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
    this.#sentBy = this.#connection.wire;
    this.#connection.send(move);
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

  /** Open a wire, for what has happened since the position that is shown. */
  #open(): TableWire {
    const since = this.position?.number ?? 0;
    if (this.here) return this.here.open(since);
    const address = new URL(linkTo(`/api/tables/${encodeURIComponent(this.table)}/live`));
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("since", String(since));
    if (this.watching) address.searchParams.set("watch", "");
    const { hashes = [] } = this.views ?? {};
    if (hashes.length) address.searchParams.set("engines", hashes.join());
    const socket = new WebSocket(address, subprotocols());
    return this.views && hashes.length ? this.views.over(socket, () => this.connectNow()) : socket;
  }

  #heard(message: Tell | Hint | undefined): void {
    if (this.refused?.code === "offline") this.refused = undefined;
    if (message) this.#take(message);
  }

  #take(message: Tell | Hint): void {
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
    const lost = this.#sentBy !== this.#connection.wire;
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
