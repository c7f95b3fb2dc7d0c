// The connection of a page in a review: what the others say, and saying something. It comes back by itself.

import { linkTo } from "../shell/base";
import { ApiError, review as reviewAtServer } from "./api";
import { subprotocols } from "./guest";
import type { LeadReview, PointReview, Refused, ReviewPointed, ReviewState, ShowReview } from "./messages";

export type AskReview = LeadReview | PointReview | ShowReview;
export type TellReview = ReviewPointed | ReviewState | Refused;

/** Seconds until the next try, at first and at most. */
const PAUSES = [1, 15] as const;
/** Milliseconds between two empty messages, which the server answers at once. */
const BEAT = 5000;
/** Messages without an answer after which another connection is tried. */
const SILENT = 2;

export class ReviewConnection {
  #socket: WebSocket | undefined;
  #pause: number = PAUSES[0];
  #unanswered = 0;
  #again: ReturnType<typeof setTimeout> | undefined;
  readonly #beating: ReturnType<typeof setInterval>;
  readonly #closed = new AbortController();

  constructor(
    readonly review: string,
    /** Called with what is told. */
    private readonly hear: (message: TellReview) => void,
    /** Called when the connection is lost, with what the server says of it, and before each further try. */
    private readonly lost: (reason: string) => void,
    /** Called when the review is there no more; the connection is closed then. */
    private readonly gone: () => void,
  ) {
    const { signal } = this.#closed;
    addEventListener("online", () => this.#connect(), { signal });
    addEventListener("pageshow", ({ persisted }) => persisted && this.#connect(), { signal });
    this.#beating = setInterval(() => this.#beat(), BEAT);
    this.#connect();
  }

  /** Say something. What can't be sent is not kept: how things stand is told when the connection is back. */
  say(message: AskReview): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  close(): void {
    this.#closed.abort();
    clearInterval(this.#beating);
    clearTimeout(this.#again);
    this.#socket?.close();
    this.#socket = undefined;
  }

  #connect(): void {
    clearTimeout(this.#again);
    if (this.#socket) {
      this.#socket.close();
      this.lost("");
    }
    this.#unanswered = 0;
    const address = new URL(linkTo(`/api/reviews/${encodeURIComponent(this.review)}/live`));
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address, subprotocols());
    this.#socket = socket;
    let met = false;
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      met = true;
      this.#unanswered = 0;
      this.#pause = PAUSES[0];
      if (data) this.hear(JSON.parse(data as string) as TellReview);
    };
    socket.onclose = ({ reason }) => {
      if (socket !== this.#socket) return;
      if (!met) void this.#checkThere();
      this.#comeBack(reason);
    };
  }

  /** A browser is not told why it gets no connection, so ask whether the review is still there. */
  async #checkThere(): Promise<void> {
    try {
      await reviewAtServer(this.review);
    } catch (error) {
      if (this.#closed.signal.aborted || !(error instanceof ApiError) || error.code !== "not found") return;
      this.close();
      this.gone();
    }
  }

  #comeBack(reason: string): void {
    this.#socket = undefined;
    this.lost(reason);
    this.#again = setTimeout(() => this.#connect(), this.#pause * 1000);
    this.#pause = Math.min(2 * this.#pause, PAUSES[1]);
  }

  #beat(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    if (this.#unanswered >= SILENT) return this.#connect();
    this.#unanswered += 1;
    this.#socket.send("");
  }
}
