// The name under which the visitor plays, kept from one visit to the next.

import { t } from "./words.svelte";

const STORED = "bosquet.name";
/** The longest name that the server takes. */
export const NAME_LENGTH = 24;

class VisitorName {
  #chosen = $state(localStorage.getItem(STORED) ?? "");

  /** What stands in the name field; empty until something was chosen. */
  get chosen(): string {
    return this.#chosen;
  }

  set chosen(name: string) {
    this.#chosen = name.slice(0, NAME_LENGTH);
    localStorage.setItem(STORED, this.#chosen);
  }

  /** The name to play under: the chosen one, or a friendly stand-in. */
  get spoken(): string {
    return this.#chosen.trim() || t("common.guest");
  }
}

export const visitor = new VisitorName();
