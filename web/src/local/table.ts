// A table that lives in this page: it holds a game in the worker of its engine, and says what a table of a server says,
// to one page, which need not know the difference. The people at it all sit at this screen.

import { namesAt } from "../core/botNames";
import { entryOf } from "../core/catalogue";
import type { Client } from "../engine/client";
import { EngineError } from "../engine/errors";
import type { Turn } from "../engine/protocol";
import type { Ask, Refused, Seat, TableState, Tell } from "../server/messages";
import { choose, paceOf } from "./bots";
import type { KeptTable } from "./kept";

/** An entry of the log: a move as each viewpoint of this screen may know it, as JSON. */
interface Entry {
  seat: number | null;
  undo: boolean;
  /** Nothing where a move was taken back. */
  observed: Map<number | null, string>;
}

/** Why something is refused here: what the page then says. */
class Refusal extends Error {
  constructor(readonly code: Refused["code"]) {
    super(code);
  }
}

/** What else is to be done when something happens at a table. */
interface Hooks {
  /** What is kept has changed. */
  changed: () => void;
  /** Another game is to be played. */
  again: () => void;
}

/** A move of chance as a page takes it: which one it is, each game says in its own words. */
const CHANCE = JSON.stringify({ say: "", kind: "chance", cells: [] });

export class LocalTable {
  /** Tells the page something; nothing while none is connected. */
  private tell: ((message: string) => void) | undefined;
  private readonly log: Entry[] = [];
  /** The seats of the people here. */
  private readonly mine: number[];
  private viewpoint: number | null;
  private turn: Turn;
  /** What is done one after the other. */
  private last: Promise<unknown> = Promise.resolve();
  private readonly closed = new AbortController();
  private choosing = false;

  private constructor(
    private readonly client: Client,
    private readonly kept: KeptTable,
    turn: Turn,
    private readonly on: Hooks,
  ) {
    this.turn = turn;
    this.mine = kept.seats.flatMap(({ bot }, seat) => (bot === null ? [seat] : []));
    this.viewpoint = this.mine.length === 1 ? this.mine[0]! : null;
  }

  /** Deal the game of a table and make the moves that it has already. Raises EngineError. */
  static async open(client: Client, kept: KeptTable, on: Hooks): Promise<LocalTable> {
    const state = await client.ask("newState", { options: numbersOf(kept) });
    const turn = await client.ask("deal", { state, seed: kept.seed });
    const table = new LocalTable(client, kept, turn, on);
    for (const move of kept.journal) await (move ? table.make(move) : table.takeBack());
    return table;
  }

  /** Connect the page: say how things stand, and what has happened since a position. */
  connect(since: number, tell: (message: string) => void): void {
    this.tell = tell;
    this.do(async () => {
      this.send(this.state());
      await this.sendPosition(since);
    });
  }

  disconnect(): void {
    this.tell = undefined;
  }

  /** Answer what the page asks for. */
  ask(message: Ask): void {
    this.do(() => this.answer(message));
  }

  /** End bots and whatever else goes on; the engine is closed by whoever has opened it. */
  close(): void {
    this.disconnect();
    this.closed.abort();
  }

  // --- What the page asks for

  private async answer(message: Ask): Promise<void> {
    const before = this.log.length;
    switch (message.type) {
      case "play":
        this.check(message);
        await this.make(message.move);
        return this.happened(before, message.move);
      case "undo":
        this.check(message);
        if (!this.mayUndo(message.seat)) throw new Refusal("not now");
        await this.takeBack();
        return this.happened(before, "");
      case "look":
        if (message.seat !== null && !this.mine.includes(message.seat)) throw new Refusal("not yours");
        this.viewpoint = message.seat;
        return this.sendPosition(before);
      case "sheet":
        return this.sendSheet();
      case "pace":
        this.kept.pace = message.pace;
        this.on.changed();
        return this.send(this.state());
      case "rematch":
        if (!this.turn.over) throw new Refusal("not now");
        return this.on.again();
      default:
        throw new Refusal("not now");
    }
  }

  private check({ seat, number }: { seat: number; number: number }): void {
    if (!this.mine.includes(seat)) throw new Refusal("not yours");
    if (number !== this.log.length) throw new Refusal("stale");
    if (this.turn.seat !== seat) throw new Refusal("not now");
  }

  /** Keep what has happened, and tell it. */
  private async happened(since: number, move: string): Promise<void> {
    this.kept.journal.push(move);
    this.kept.over = this.turn.over;
    this.on.changed();
    await this.sendPosition(since);
    if (this.turn.over) this.send(this.state());
  }

  // --- The game

  /** Make a move, and the chance that follows it. Raises EngineError where it is not legal. */
  private async make(move: string): Promise<void> {
    const { seat, plies } = this.turn;
    const viewers = this.mine.length === 1 ? this.mine : [...this.mine, null];
    const observed = await Promise.all(
      viewers.map((viewer) => this.client.ask("observed", { move, viewer, assistance: "full" })),
    );
    this.turn = await this.client.ask("play", { move });
    this.log.push({ seat, undo: false, observed: new Map(viewers.map((viewer, i) => [viewer, observed[i]!])) });
    for (let made = plies + 1; made < this.turn.plies; made += 1) {
      this.log.push({ seat: null, undo: false, observed: new Map(viewers.map((viewer) => [viewer, CHANCE])) });
    }
  }

  private async takeBack(): Promise<void> {
    const { seat } = this.turn;
    this.turn = await this.client.ask("undo", null);
    this.log.push({ seat, undo: true, observed: new Map() });
  }

  /** Without assistance no move is taken back: it could be a question. */
  private mayUndo(seat: number | null): boolean {
    return seat !== null && seat === this.turn.seat && this.turn.canUndo && this.kept.assistance !== "none";
  }

  // --- What the page is told

  private send(message: Tell): void {
    this.tell?.(JSON.stringify(message));
  }

  private async sendPosition(since: number): Promise<void> {
    const { viewpoint } = this;
    const view = await this.client.ask("view", { viewer: viewpoint, assistance: this.kept.assistance });
    const number = this.log.length;
    const entries = this.log.slice(since).map((entry, i) => this.told(entry, since + i));
    const undo = this.mayUndo(viewpoint);
    const head = JSON.stringify({ type: "position", number, viewpoint, undo });
    // The parts are texts of the engine, in which nothing is changed.
    this.tell?.(`${head.slice(0, -1)},"entries":[${entries.join()}],"view":${view}}`);
    if (this.turn.over) await this.sendSheet();
    void this.runBots();
  }

  private told({ seat, undo, observed }: Entry, number: number): string {
    const move = observed.get(this.viewpoint) ?? "null";
    const say = (JSON.parse(move) as { say: string } | null)?.say ?? "";
    return `${JSON.stringify({ number, seat, say, undo, ending: null }).slice(0, -1)},"move":${move}}`;
  }

  private async sendSheet(): Promise<void> {
    this.tell?.(`{"type":"sheet","sheet":${await this.client.ask("sheet", null)}}`);
  }

  private state(): TableState {
    const { game, options, assistance, pace, seats } = this.kept;
    return {
      type: "table",
      table: game,
      game: game as TableState["game"],
      options,
      phase: this.turn.over ? "over" : "playing",
      seats: seats.map(seatOf),
      mine: this.mine,
      host: true,
      pace,
      watchers: 0,
      first: "lot",
      commitment: "",
      invitation: null,
      listed: false,
      rematch: null,
      duel: null,
      ending: null,
      assistance,
      hints: false,
      slow: null,
      deadline: null,
      daily: null,
    };
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
    if (!this.tell || seat === null) return null;
    return this.kept.seats[seat]?.bot ?? null;
  }

  private async moveFor(bot: string): Promise<void> {
    const { game, seed, pace } = this.kept;
    const number = this.log.length;
    const seconds = pace === "human" ? paceOf(game) : 0;
    const [move] = await Promise.all([
      choose(this.client, game, bot, `${seed}/${bot}/${number}`, this.closed.signal),
      new Promise((done) => setTimeout(done, 1000 * seconds)),
    ]);
    await this.inTurn(async () => {
      if (!this.tell || number !== this.log.length) return;
      await this.make(move);
      await this.happened(number, move);
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
    this.send({ type: "refused", code, message: error.message, why: null, wait: null });
  }
}

/** The options of a table by their numbers: players first, then as the game lists them. */
function numbersOf({ game, options }: KeptTable): [number, number][] {
  const { players, options: listed } = entryOf(game)!;
  const values = [
    ["players", players] as const,
    ...Object.entries(listed).map(([name, one]) => [name, one.values] as const),
  ];
  return values.flatMap(([name, known], number): [number, number][] => {
    const value = known.findIndex((one) => one === options[name]);
    return value < 0 ? [] : [[number, value]];
  });
}

function seatOf({ name, bot }: KeptTable["seats"][number]): Seat {
  const kind = bot === null ? "human" : "bot";
  const none = { stands_in: false, gone: false, hints: false, agrees: null, left: null, chat: false };
  return { kind, name, ready: true, here: true, bot, ...none };
}

/** What those at a table that is kept are called. */
export function namesOfKept({ seats }: KeptTable): string[] {
  return namesAt(seats.map(seatOf));
}
