// The analysis board as it is used: the moves that were tried, the position that is shown, and the engine that has it.

import { namesOf } from "../../core/botNames";
import { openEngine } from "../../core/engines";
import { botMove } from "../../engine/bots";
import type { Client } from "../../engine/client";
import { EngineError } from "../../engine/errors";
import type { Turn, Viewer } from "../../engine/protocol";
import type { Move, Sheet, View } from "../../client/messages";
import { tab } from "../../shell/store";
import { t } from "../../shell/words.svelte";
import { peopleIn } from "../replay/people";
import { gameOf, peopleOf, type Place, placeOfText } from "./place";
import { playedIn, takeUp } from "./takeUp";
import { type Node, ROOT, Tree } from "./tree";

/** A position as it is shown. */
export interface Shown {
  turn: Turn;
  view: View;
  /** Everybody's hand and what lies face down, where all is open. */
  hands: string[][] | null;
  revealed: Record<string, string> | null;
  sheet: Sheet | undefined;
}

const KEPT = "bosquet.analysis";
/** Longer trees are not kept. */
const LONGEST = 1_000_000;

export class Explorer {
  tree = $state.raw(new Tree());
  at = $state(ROOT);
  shown = $state.raw<Shown>();
  /** Why a move or a position is refused. */
  problem = $state("");
  /** The seat that a person plays while a bot answers for the others; null where all are played by hand. */
  mine = $state<number | null>(null);
  answering = $state(false);
  readonly names: string[];
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly place: Place,
    readonly client: Client,
    private readonly played: Tree,
    seats: number,
    /** Who knows this; null for a spectator, nothing where all is open. */
    readonly viewer: Viewer | undefined,
    /** Whether what was tried is there again when the page is loaded again. */
    private readonly keeps: boolean,
  ) {
    const { names, bots } = peopleIn({ ...peopleOf(place) }, seats);
    this.names = namesOf(names, bots);
    this.tree = this.#kept() ?? played;
    this.mine = place.mine !== undefined && place.mine in this.names ? place.mine : null;
  }

  /** Open the board at a place. Raises EngineError. */
  static async open(place: Place, keeps = true): Promise<Explorer> {
    const client = await openEngine(gameOf(place));
    try {
      let played = new Tree();
      let at = ROOT;
      for (const move of await playedIn(client, place)) ({ tree: played, id: at } = played.with(at, move));
      await takeUp(client, place, []);
      const { options } = JSON.parse(await client.ask("view", { viewer: null, assistance: "none" })) as View;
      const viewer =
        "position" in place.source
          ? (await client.ask("readPosition", { text: place.source.position })).viewer
          : undefined;
      const explorer = new Explorer(place, client, played, Number(options["players"]), viewer, keeps);
      await explorer.#arrive(place);
      return explorer;
    } catch (error) {
      client.close();
      throw error;
    }
  }

  get game(): string {
    return gameOf(this.place);
  }

  /** Whether all is known here, and not only what somebody knows. */
  get open(): boolean {
    return "record" in this.place.source;
  }

  get path(): Node[] {
    return this.tree.pathTo(this.at);
  }

  /** The moves before the position and after it, along its line. */
  get line(): Node[] {
    return [...this.path, ...this.tree.lineFrom(this.at)];
  }

  /** The same position with a path that leads to it, for its address. */
  get here(): Place {
    const { plies: _, mine: __, ...place } = this.place;
    const path = this.path;
    const played = path.findLast((node) => node.plies !== undefined);
    const tried = path.filter(({ plies }) => plies === undefined).map(({ say }) => say);
    const mine = this.mine !== null && { mine: this.mine };
    return { ...place, ...mine, ...(this.open && { plies: played?.plies ?? 0 }), path: tried };
  }

  close(): void {
    this.client.close();
  }

  /** Show a position of the tree. */
  go(id: number): Promise<void> {
    return this.#inTurn(() => this.#take(id));
  }

  /** Show a position that was reached on another board; moves that are not in the tree are made. */
  arrive(at: Pick<Place, "plies" | "path">): Promise<void> {
    return this.#inTurn(() => this.#arrive(at));
  }

  /** Make a move in the position that is shown, and the bot's answers where it gives them. */
  play(say: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.#make(say);
      await this.#answer();
    });
  }

  /** Take a branch away; the game that was played stays. */
  async remove(id: number): Promise<void> {
    const node = this.tree.node(id);
    if (!node || node.plies !== undefined) return;
    const isShown = this.path.includes(node);
    this.tree = this.tree.without(id);
    this.#keep();
    if (isShown) await this.go(node.parent);
  }

  /** Let a bot answer for the others from now on, or play all seats by hand. */
  async answerFor(mine: number | null): Promise<void> {
    this.mine = mine;
    await this.#inTurn(() => this.#answer());
  }

  /** What a seat knows here, as a place of its own. */
  async asSeen(seat: number): Promise<Place> {
    return placeOfText(await this.client.ask("position", { viewer: seat }), peopleOf(this.place));
  }

  async #take(id: number): Promise<void> {
    await this.#show(id, await takeUp(this.client, this.place, this.tree.pathTo(id)));
  }

  async #make(say: string): Promise<void> {
    const { seat } = this.shown!.turn;
    if (seat === null) return;
    // All of it may be told: either all is open, or what is not known was drawn.
    const observed = await this.client.ask("observed", { move: say, viewer: seat, assistance: "full" });
    const turn = await this.client.ask("play", { move: say });
    const { tree, id } = this.tree.with(this.at, { say, seat, move: JSON.parse(observed) as Move });
    this.tree = tree;
    this.#keep();
    // A move of the game goes on as the game did, and not as it was drawn here.
    if (tree.node(id)?.plies === undefined) await this.#show(id, turn);
    else await this.#take(id);
  }

  /** Make the moves of the bot until the person is to move, or the game is over. */
  async #answer(): Promise<void> {
    const bot = this.client.facts.luck.bot;
    this.answering = true;
    try {
      for (let seat = this.shown?.turn.seat; this.mine !== null; seat = this.shown?.turn.seat) {
        if (seat === null || seat === undefined || seat === this.mine) return;
        await this.#make(await botMove([this.client], bot));
      }
    } finally {
      this.answering = false;
    }
  }

  /** Go to the position of an address; moves that are not in the tree are made. */
  async #arrive({ plies = 0, path }: Pick<Place, "plies" | "path">): Promise<void> {
    const from = this.played.nodes.findLast((node) => node.plies !== undefined && node.plies <= plies)?.id ?? ROOT;
    const known = this.tree.follow(path, from);
    await this.#take(known);
    const made = this.path.length - this.tree.pathTo(from).length;
    for (const say of path.slice(made)) await this.#make(say);
  }

  async #show(id: number, turn: Turn): Promise<void> {
    const { client, open } = this;
    const [view, revealed, sheet] = await Promise.all([
      client.ask("view", { viewer: turn.seat, assistance: "full" }),
      open ? client.ask("revealed", null) : `{"hands":null,"revealed":null}`,
      turn.over ? client.ask("sheet", null) : undefined,
    ]);
    this.shown = {
      turn,
      view: JSON.parse(view) as View,
      ...(JSON.parse(revealed) as Pick<Shown, "hands" | "revealed">),
      sheet: sheet === undefined ? undefined : (JSON.parse(sheet) as Sheet),
    };
    this.at = id;
    this.problem = "";
  }

  /** Do one thing after the other; what is refused is said. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work).catch((error: unknown) => {
      if (!(error instanceof EngineError)) throw error;
      const { reason, message } = error;
      if (reason === "cancelled") return;
      this.problem = reason === "move" ? t("analysis.illegal", { problem: message }) : t("common.no_engine");
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  // --- What is kept until the tab is closed

  get #root(): string {
    const { source, seed } = this.place;
    return JSON.stringify([source, seed]);
  }

  #keep(): void {
    if (!this.keeps) return;
    const text = JSON.stringify({ root: this.#root, nodes: this.tree.nodes });
    if (text.length <= LONGEST) tab.set(KEPT, text);
  }

  /** The tree that was kept for this place, which has at least the game that was played. */
  #kept(): Tree | undefined {
    if (!this.keeps) return undefined;
    const found = tab.read(KEPT) as { root?: unknown; nodes?: unknown } | undefined;
    if (found?.root !== this.#root || !Array.isArray(found.nodes)) return undefined;
    const tree = new Tree(found.nodes as Node[]);
    const line = this.played.lineFrom(ROOT).map(({ say }) => say);
    return tree.pathTo(tree.follow(line)).length === line.length ? tree : undefined;
  }
}
