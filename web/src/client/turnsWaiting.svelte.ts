// How many slow tables wait for the visitor, asked anew while any page is open: also in a tab that nobody looks at, for
// its title says the number, and so does the badge of the installed page.

import { clock } from "../shell/clock.svelte";
import { turnsWaiting as ask } from "./api";
import type { Waiting } from "./messages";

const PAUSE = 60_000;
/** Milliseconds between two looks at whether the clock was set. */
const OFTEN = 5_000;
/** Milliseconds within which nothing is asked twice, however often pages change. */
const SHORTLY = 3_000;

/** A browser that can show a number at the sign of an installed page. */
interface Badged {
  setAppBadge?: (count: number) => Promise<void>;
  clearAppBadge?: () => Promise<void>;
}

export class TurnsWaiting {
  count = $state(0);
  /** Whether there are slow tables at all: else it is asked only when pages change, and seldom. */
  #slow = false;
  #asked = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Ask, and go on asking; returns what ends that. */
  watch(): () => void {
    const back = () => document.hidden || this.look();
    document.addEventListener("visibilitychange", back);
    // The answer sets the clock, too.
    const watch = setInterval(() => clock.jumped() && this.ask(), OFTEN);
    this.look();
    return () => {
      document.removeEventListener("visibilitychange", back);
      clearInterval(watch);
      clearTimeout(this.#timer);
    };
  }

  /** Ask where there are slow tables, else seldom: another page is shown, or this one again. */
  look(): void {
    if (this.#slow || clock.jumped() || performance.now() - this.#asked > PAUSE) this.ask();
  }

  /** Ask soon: something has changed. */
  ask(): void {
    clearTimeout(this.#timer);
    const pause = Math.max(0, this.#asked + SHORTLY - performance.now());
    this.#timer = setTimeout(() => void this.#refresh(), pause);
  }

  /** Take over what the start page lists. */
  meet(mine: readonly Waiting[]): void {
    const slow = mine.filter((table) => table.slow !== null && table.phase !== "over");
    this.#slow ||= slow.length > 0;
    this.#show(slow.filter((table) => table.your_turn).length);
  }

  async #refresh(): Promise<void> {
    this.#asked = performance.now();
    try {
      const { waiting, slow } = await ask();
      this.#slow = slow > 0;
      this.#show(waiting);
    } catch {
      // The page that is open says what is wrong; the number stays what it was.
    }
    clearTimeout(this.#timer);
    if (this.#slow) this.#timer = setTimeout(() => void this.#refresh(), PAUSE);
  }

  #show(count: number): void {
    if (count === this.count) return;
    this.count = count;
    const badged: Badged = navigator;
    const done = count ? badged.setAppBadge?.(count) : badged.clearAppBadge?.();
    done?.catch(() => undefined); // not installed, or not allowed: the title says it
  }
}

export const turnsWaiting = new TurnsWaiting();
