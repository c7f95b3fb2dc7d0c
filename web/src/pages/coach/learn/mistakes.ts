// One's costliest decisions as questions: the position as one saw it, tries on the board, and what the coach says of them.

import type { Client } from "../../../engine/client";
import type { Turn } from "../../../engine/protocol";
import type { Decision, ReplayRequest, View } from "../../../client/messages";
import { type Place, placeIn, placeOfText } from "../../analysis/place";
import { takeUp } from "../../analysis/takeUp";

type GameRecord = ReplayRequest["record"];

/** Questions of one seat at most. */
const MOST = 5;

/** The decisions of a seat that cost something, the costliest first. */
export function mistakesOf(decisions: readonly Decision[], seat: number): Decision[] {
  const own = decisions.filter((one) => one.seat === seat && one.loss > 0 && one.best.length > 0);
  return own.toSorted((one, other) => other.loss - one.loss).slice(0, MOST);
}

/** A decision that is tried again. */
export class Question {
  /** The moves of the try so far, in notation. */
  readonly made: string[] = [];

  constructor(
    private readonly client: Client,
    private readonly record: GameRecord,
    readonly decision: Decision,
  ) {}

  /** Set the position up; return it as the seat saw it. Raises EngineError. */
  async begin(): Promise<View> {
    this.made.length = 0;
    const plies = [{ say: "", plies: this.decision.ply }];
    await takeUp(this.client, placeIn(this.record), plies);
    return this.#view();
  }

  /** Make a move of a try; return the position if the decision goes on, otherwise what the coach says. Raises EngineError. */
  async play(move: string, signal: AbortSignal): Promise<{ view: View; verdict?: Decision }> {
    const turn: Turn = await this.client.ask("play", { move });
    this.made.push(move);
    const goesOn = turn.seat === this.decision.seat && (await this.client.ask("continues", null));
    const view = await this.#view();
    if (goesOn) return { view };
    const best = this.decision.best[0]!;
    if (best.moves.join() === this.made.join()) return { view, verdict: { ...this.decision, made: best, loss: 0 } };
    const last = (await this.client.ask("decisions", null)) - 1;
    const found = await this.client.ask("weigh", { decision: last }, signal);
    return { view, verdict: found ? (found as Decision) : { ...this.decision, made: best, loss: 0 } };
  }

  /** The position as the seat saw it, to be played on against a bot. Raises EngineError. */
  async place(): Promise<Place> {
    await this.begin();
    const { seat } = this.decision;
    const text = await this.client.ask("position", { viewer: seat });
    return { ...placeOfText(text, this.record), mine: seat };
  }

  async #view(): Promise<View> {
    const viewer = this.decision.seat;
    return JSON.parse(await this.client.ask("view", { viewer, assistance: "full" })) as View;
  }
}
