// The name under which the visitor plays, kept from one visit to the next.

import { t } from "./words.svelte";

const STORED = "bosquet.name";
/** What the server knew last as the name of this visitor on all devices. */
const SHARED = "bosquet.name.shared";
/** Which of the garden names was drawn for those who choose none. */
const DRAWN = "bosquet.garden-name";
/** The longest name that the server takes. */
export const NAME_LENGTH = 24;

/** The names that there are, in every language. */
export const GIVEN_NAMES = 18;

/** The number of the garden name: the same one on every visit. */
function drawNumber(): number {
  const drawn = Number(localStorage.getItem(DRAWN) ?? Math.floor(Math.random() * GIVEN_NAMES));
  localStorage.setItem(DRAWN, String(drawn));
  return drawn;
}

class VisitorName {
  readonly #drawn = drawNumber();
  #chosen = $state(localStorage.getItem(STORED) ?? "");

  /** What stands in the name field; empty until something was chosen. */
  get chosen(): string {
    return this.#chosen;
  }

  set chosen(name: string) {
    this.#chosen = name.slice(0, NAME_LENGTH);
    localStorage.setItem(STORED, this.#chosen);
  }

  /** The name to play under: the chosen one, or the one that was given. */
  get spoken(): string {
    return this.#chosen.trim() || this.given;
  }

  /** Take over what the server says is the name on all devices; return whether it has to be told another one. */
  meet(shared: string | null): boolean {
    const changed = shared !== null && this.#chosen.trim() !== "" && this.#chosen !== localStorage.getItem(SHARED);
    if (shared === null || changed) return changed && this.#chosen.trim() !== shared;
    this.chosen = shared;
    this.share(shared);
    return false;
  }

  /** Have no name of one's own: this browser is somebody else now. */
  forget(): void {
    this.chosen = "";
    localStorage.removeItem(SHARED);
  }

  /** Remember what the server was told. */
  share(name: string): void {
    localStorage.setItem(SHARED, name);
  }

  /** A garden name that was drawn once, in the reader's language. */
  get given(): string {
    return t("common.garden_names").split(", ")[this.#drawn % GIVEN_NAMES] ?? "";
  }
}

export const visitor = new VisitorName();
