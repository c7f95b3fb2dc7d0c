// A table that lives in this page: it holds a game in the worker of its engine, and says what a table of a server says,
// to one page, which need not know the difference. The people at it all sit at this screen. `here.svelte.ts` opens it and
// saves it, `wire.ts` connects it to the page, `state.ts` writes how it stands.

import { entryOf } from "../core/catalogue";
import { takeDealt } from "../core/engines";
import { findChoices } from "../core/findHints";
import { botMove } from "../engine/bots";
import type { Client } from "../engine/client";
import { EngineError } from "../engine/errors";
import type { Facts } from "../engine/facts";
import type { Turn } from "../engine/protocol";
import { CHANCE_MOVE } from "../engine/replay";
import type { AskHint, Hint } from "../client/givenHint";
import type { Ask, LogEntry, ReachableFigures, Refused, Tell } from "../client/messages";
import { duelInRecord, nextDuel } from "./duel";
import { now } from "./savedTables";
import type { GameRecord, Happened, SavedDuel, SavedTable } from "./reading";
import { mineOf, stateOf } from "./state";

/** The engines of a table. */
export interface Engines {
  /** The first one has the game, the others help bots that search with several. */
  clients: readonly [Client, ...Client[]];
  facts: Facts;
}

/** What else is to be done when something happens at a table. */
export interface Hooks {
  /** What is kept has changed. */
  changed: () => void;
  /** Another game is to be played, of a duel or of its own. */
  again: (duel: SavedDuel | null) => void;
}

/** An entry of the log. */
interface Entry {
  seat: number | null;
  undo: boolean;
  ending: LogEntry["ending"];
  /** The move as each viewpoint of this screen may know it, as JSON; nothing where none was made. */
  observed: Map<number | null, string>;
}

/** Why something is refused here: what the page then says. */
class Refusal extends Error {
  constructor(readonly code: Refused["code"]) {
    super(code);
  }
}

const CHANCE = JSON.stringify(CHANCE_MOVE);

export class LocalTable {
  private readonly client: Client;
  /** Tells the page something; nothing while none is connected. */
  private tell: ((message: string) => void) | undefined;
  private readonly log: Entry[] = [];
  private readonly resigned = new Set<number>();
  /** The seat from which the page sees the table; null as a spectator does. */
  private viewpoint: number | null;
  private turn: Turn;
  /** The first position as it is seen from here, where it was dealt ahead; until it was sent. */
  private first: string | undefined;
  /** What is done one after the other. */
  private last: Promise<unknown> = Promise.resolve();
  private readonly closed = new AbortController();
  private choosing = false;
  /** Ends what is worked out for a position when that changes. */
  private thinking = new AbortController();

  private constructor(
    private readonly engines: Engines,
    private readonly saved: SavedTable,
    turn: Turn,
    private readonly on: Hooks,
  ) {
    [this.client] = engines.clients;
    this.turn = turn;
    this.viewpoint = this.mine.length === 1 ? this.mine[0]! : null;
  }

  /** Deal the game of a table, and have happen what has happened there. Raises EngineError. */
  static async open(engines: Engines, saved: SavedTable, on: Hooks): Promise<LocalTable> {
    const { options, secret, seats, box, duel } = saved;
    const openAsIn = duel?.open ? { openAsIn: duel.open } : {};
    const nonces = seats.map(() => null);
    const dealt = takeDealt(engines.clients[0], secret);
    const turn = dealt?.turn ?? (await engines.clients[0].ask("deal", { options, secret, nonces, box, ...openAsIn }));
    const bots = seats.flatMap(({ bot }) => bot ?? []);
    const prepared = engines.clients[0].ask("prepare", { bots });
    const table = new LocalTable(engines, saved, turn, on);
    if (table.viewpoint === 0 && saved.assistance === "full" && !saved.journal.length) table.first = dealt?.view;
    for (const happened of saved.journal) await table.apply(happened);
    void prepared.then(() => table.warmUp(bots)).catch(() => undefined); // bots decide without, too
    return table;
  }

  /** Have the search made ready while somebody here thinks, if a bot will search. */
  private async warmUp(bots: readonly string[]): Promise<void> {
    const { seat } = this.turn;
    if (seat === null || this.botAt(seat) !== null || !bots.some((bot) => this.engines.facts.bots[bot])) return;
    await this.client.ask("warmUp", null, this.thinking.signal);
  }

  /** Connect the page: say how things stand, and what has happened since a position. */
  connect(since: number, tell: (message: string) => void): void {
    this.tell = tell;
    this.do(async () => {
      this.sendState();
      await this.sendPosition(since);
    });
  }

  disconnect(): void {
    this.tell = undefined;
  }

  /** Answer what the page asks for. */
  ask(message: Ask | AskHint): void {
    this.do(() => this.answer(message));
  }

  /** The record of the game, with those who have played. Raises EngineError. */
  async record(): Promise<GameRecord> {
    const { seats, duel } = this.saved;
    const people = { players: seats.map(({ name }) => name), bots: seats.map(({ bot }) => bot) };
    const record = await this.client.ask("record", null);
    return { ...record, ...people, ...(duel && { duel: duelInRecord(duel, record) }) };
  }

  /** What the seat to move, one of those here, can reach with a card. Rejects with an EngineError. */
  async reachable(card: number): Promise<ReachableFigures> {
    return JSON.parse(await this.client.ask("reachable", { card })) as ReachableFigures;
  }

  /** End bots and all that goes on; who opened the engines closes them. */
  close(): void {
    this.disconnect();
    this.closed.abort();
    this.thinking.abort();
  }

  /** The seats of the people here; of those who have resigned, as long as the game goes on without them. */
  private get mine(): number[] {
    return mineOf(this.saved);
  }

  /** The bot that plays on a seat, also where somebody has resigned and others go on. */
  private botAt(seat: number): string | null {
    return this.resigned.has(seat) ? this.engines.facts.luck.bot : this.saved.seats[seat]!.bot;
  }

  // --- What the page asks for

  private async answer(message: Ask | AskHint): Promise<void> {
    switch (message.type) {
      case "play":
        this.check(message);
        return this.act({ type: "move", move: message.move });
      case "undo":
        this.check(message);
        if (!this.mayUndo(message.seat)) throw new Refusal("not now");
        return this.act({ type: "undo" });
      case "resign":
        this.checkPlaying(message.seat);
        return this.act({ type: "resign", seat: message.seat });
      case "agree":
        this.checkPlaying(this.mine[0]!);
        if (this.saved.duel) throw new Refusal("not now"); // it could be ended while one is ahead
        return this.act({ type: "end", how: message.proposal === "end" ? "agreed" : "void" });
      case "look":
        if (message.seat !== null && !this.mine.includes(message.seat)) throw new Refusal("not yours");
        this.viewpoint = message.seat;
        return this.sendPosition(this.log.length);
      case "sheet":
        return this.sendSheet();
      case "hints":
        if (this.saved.assistance === "none") throw new Refusal("not now");
        this.saved.hints = message.allow;
        this.on.changed();
        return this.sendState();
      case "hint":
        this.checkPlaying(message.seat);
        if (this.turn.seat !== message.seat || !this.givesHints) throw new Refusal("not now");
        return void this.sendHint(message.seat); // meanwhile it may go on
      case "pace":
        this.saved.pace = message.pace;
        this.on.changed();
        return this.sendState();
      case "rematch":
        if (!this.turn.over) throw new Refusal("not now");
        return this.on.again(await this.nextDuel());
      default:
        throw new Refusal("not now");
    }
  }

  private async nextDuel(): Promise<SavedDuel | null> {
    const { id: table, duel } = this.saved;
    const { outcome } = this.turn;
    if (!duel || !outcome) return null;
    const record = await this.client.ask("record", null);
    return nextDuel(duel, { table, outcome, record, openKeys: this.engines.facts.open_keys });
  }

  private checkPlaying(seat: number): void {
    if (!this.mine.includes(seat) || this.resigned.has(seat)) throw new Refusal("not yours");
    if (this.turn.over) throw new Refusal("not now");
  }

  private check({ seat, number }: { seat: number; number: number }): void {
    this.checkPlaying(seat);
    if (number !== this.log.length) throw new Refusal("stale");
    if (this.turn.seat !== seat) throw new Refusal("not now");
  }

  /** Let happen what somebody here has done. */
  private act(happened: Happened): Promise<void> {
    this.saved.begun = true;
    return this.happen(happened);
  }

  /** Let something happen, keep it, and tell it. */
  private async happen(happened: Happened): Promise<void> {
    const since = this.log.length;
    await this.apply(happened);
    this.saved.journal.push(happened);
    this.saved.changed = now();
    if (this.turn.over) this.saved.record = await this.record();
    this.on.changed();
    if (happened.type !== "move" || this.turn.over) this.sendState();
    await this.sendPosition(since);
  }

  // --- The game

  private async apply(happened: Happened): Promise<void> {
    switch (happened.type) {
      case "move":
        await this.make(happened.move);
        if (this.turn.over && this.resigned.size) await this.end("played");
        return;
      case "undo": {
        const { seat } = this.turn;
        this.turn = await this.client.ask("undo", null);
        this.note({ seat, undo: true });
        return;
      }
      case "resign": {
        this.resigned.add(happened.seat);
        const left = this.saved.seats.flatMap((_, seat) => (this.resigned.has(seat) ? [] : [seat]));
        const goesOn = left.length > 1 && left.some((seat) => this.botAt(seat) === null);
        if (goesOn) return;
        await this.end("resigned");
        return this.note({ seat: happened.seat, ending: "resigned" });
      }
      case "end":
        await this.end(happened.how);
        return this.note({ seat: null, ending: happened.how });
    }
  }

  /** Make a move, and the chance that follows it. Raises EngineError where it is not legal. */
  private async make(move: string): Promise<void> {
    const { seat, plies } = this.turn;
    const viewers = [...this.mine, null];
    const observed = await Promise.all(
      viewers.map((viewer) => this.client.ask("observed", { move, viewer, assistance: "full" })),
    );
    this.turn = await this.client.ask("play", { move });
    this.note({ seat, observed: new Map(viewers.map((viewer, i) => [viewer, observed[i]!])) });
    for (let made = plies + 1; made < this.turn.plies; made += 1) {
      this.note({ seat: null, observed: new Map(viewers.map((viewer) => [viewer, CHANCE])) });
    }
  }

  private async end(how: "played" | "resigned" | "agreed" | "void"): Promise<void> {
    const resigned = [...this.resigned].sort((one, other) => one - other);
    this.turn = await this.client.ask("end", { how, resigned });
  }

  private note(entry: Partial<Entry> & Pick<Entry, "seat">): void {
    this.thinking.abort();
    this.thinking = new AbortController();
    this.log.push({ undo: false, ending: null, observed: new Map(), ...entry });
  }

  /** Without assistance no move is taken back: it could be a question. */
  private mayUndo(seat: number | null): boolean {
    return seat !== null && seat === this.turn.seat && this.turn.canUndo && this.saved.assistance !== "none";
  }

  // --- What the page is told

  private send(message: Tell | Hint): void {
    this.tell?.(JSON.stringify(message));
  }

  private async sendPosition(since: number): Promise<void> {
    const { viewpoint, first } = this;
    this.first = undefined;
    const view =
      first ?? (await this.client.ask("boardView", { viewer: viewpoint, assistance: this.saved.assistance }));
    const number = this.log.length;
    const entries = this.log.slice(since).map((entry, i) => this.told(entry, since + i));
    const head = JSON.stringify({ type: "position", number, viewpoint, undo: this.mayUndo(viewpoint) });
    // The parts are texts of the engine, in which nothing is changed.
    this.tell?.(`${head.slice(0, -1)},"entries":[${entries.join()}],"view":${view}}`);
    if (this.turn.over) await this.sendSheet();
    void this.runBots();
  }

  private told({ seat, undo, ending, observed }: Entry, number: number): string {
    const move = observed.get(this.viewpoint) ?? "null";
    const say = (JSON.parse(move) as { say: string } | null)?.say ?? "";
    return `${JSON.stringify({ number, seat, say, undo, ending }).slice(0, -1)},"move":${move}}`;
  }

  /** Whether hints are given: those here have agreed, or see everything else that helps. */
  private get givesHints(): boolean {
    const { assistance, hints } = this.saved;
    return assistance === "full" || (assistance === "plain" && hints);
  }

  /** Find out what would be best for a seat, until the game goes on. */
  private async sendHint(seat: number): Promise<void> {
    const number = this.log.length;
    try {
      const choices = await findChoices(this.client, this.saved.assistance, this.thinking.signal);
      this.send({ type: "hint", seat, number, choices });
    } catch (error) {
      if (number === this.log.length) this.refuse(error);
    }
  }

  private async sendSheet(): Promise<void> {
    this.tell?.(`{"type":"sheet","sheet":${await this.client.ask("sheet", null)}}`);
  }

  private sendState(): void {
    const { turn, resigned, givesHints } = this;
    this.send(stateOf(this.saved, { turn, resigned, givesHints, botAt: (seat) => this.botAt(seat) }));
  }

  // --- Bots

  /** Make the moves of bots until a person is to move, or nobody looks on. */
  private async runBots(): Promise<void> {
    if (this.choosing) return;
    this.choosing = true;
    try {
      for (let bot = this.botToMove(); bot !== null; bot = this.botToMove()) await this.moveFor(bot);
    } catch (error) {
      this.refuse(error);
    } finally {
      this.choosing = false;
    }
  }

  private botToMove(): string | null {
    const { seat } = this.turn;
    return this.tell && seat !== null ? this.botAt(seat) : null;
  }

  private async moveFor(bot: string): Promise<void> {
    const number = this.log.length;
    const seconds = this.saved.pace === "human" ? (entryOf(this.saved.game)?.pace ?? 1) : 0;
    const waits = new Promise((done) => setTimeout(done, 1000 * seconds));
    const move = await botMove(this.engines.clients, bot, this.closed.signal).catch((error: unknown) => {
      if (number === this.log.length) throw error;
      return ""; // the game has gone on, or has ended
    });
    await waits;
    await this.inTurn(async () => {
      if (this.tell && number === this.log.length) await this.happen({ type: "move", move });
    });
  }

  // --- One thing after the other

  /** Do something when everything before it is done. Rejects where it fails. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }

  /** The same, and say where it is refused. */
  private do(work: () => Promise<void>): void {
    void this.inTurn(work).catch((error: unknown) => this.refuse(error));
  }

  private refuse(error: unknown): void {
    if (this.closed.signal.aborted) return;
    if (!(error instanceof Refusal || error instanceof EngineError)) throw error;
    const code = error instanceof Refusal ? error.code : error.reason === "move" ? "illegal" : "unreadable";
    const why = error instanceof EngineError ? (error.why ?? null) : null;
    this.send({ type: "refused", code, message: error.message, why, wait: null });
  }
}
