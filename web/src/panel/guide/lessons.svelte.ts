// How far a first game has been taught: which tip is said now, and which phases are understood.

import type { GuideSpec, Tip } from "../../core/game";
import type { View } from "../../client/messages";

export class Lessons {
  at = $state(0);
  #understood = $state<string[]>([]);
  #tips = $state.raw<readonly Tip[]>([]);
  #phase = "";
  /** The aim of the game is said before the first tip. */
  #aimSaid = false;
  #over = false;

  constructor(
    readonly guide: GuideSpec,
    readonly wanted: boolean,
  ) {}

  get tips(): readonly Tip[] {
    return this.#tips;
  }

  get look(): string | undefined {
    return this.#tips[this.at]?.look;
  }

  /** Say what belongs to a position, from its beginning when its phase begins. */
  follow(view: View): void {
    if (!this.wanted || this.#over) return;
    const tips = view.moves.length ? this.guide.tips(view) : [];
    const phase = tips.length ? view.phase : "";
    if (phase !== this.#phase) {
      this.#aimSaid ||= this.#phase !== "";
      this.at = 0;
    }
    this.#phase = phase;
    const said = this.#understood.includes(phase) ? [] : tips;
    const aim = this.#aimSaid ? undefined : this.guide.aim?.(view);
    this.#tips = said.length && aim ? [aim, ...said] : said;
  }

  next(): void {
    this.at += 1;
  }

  done(): void {
    this.#aimSaid = true;
    this.#understood.push(this.#phase);
    this.#tips = [];
  }

  /** Say nothing any more. */
  skip(): void {
    this.#over = true;
    this.#tips = [];
  }
}
