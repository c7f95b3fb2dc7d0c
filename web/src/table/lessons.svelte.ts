// How far a first game has been taught: which tip is said now, and which phases are understood.

import type { View } from "../lib/messages";
import { aimOf, type Tip, tipsOf } from "./guide";

export class Lessons {
  at = $state(0);
  #understood = $state<string[]>([]);
  #tips = $state.raw<Tip[]>([]);
  #phase = "";
  /** The aim of the game is said before the first tip. */
  #aimSaid = false;

  constructor(readonly wanted: boolean) {}

  get tips(): Tip[] {
    return this.#tips;
  }

  get look(): string | undefined {
    return this.#tips[this.at]?.look;
  }

  /** Say what belongs to a position, from its beginning when its phase begins. */
  follow(view: View): void {
    if (!this.wanted) return;
    const tips = tipsOf(view);
    const phase = tips.length ? view.phase : "";
    if (phase !== this.#phase) {
      this.#aimSaid ||= this.#phase !== "";
      this.at = 0;
    }
    this.#phase = phase;
    const said = this.#understood.includes(phase) ? [] : tips;
    this.#tips = said.length && !this.#aimSaid ? [aimOf(view), ...said] : said;
  }

  next(): void {
    this.at += 1;
  }

  done(): void {
    this.#aimSaid = true;
    this.#understood.push(this.#phase);
    this.#tips = [];
  }
}
