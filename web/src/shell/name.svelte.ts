// The name under which the visitor plays, kept from one visit to the next.

import { device } from "./store";
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
  const kept = device.read(DRAWN);
  if (typeof kept === "number" && Number.isInteger(kept) && kept >= 0 && kept < GIVEN_NAMES) return kept;
  const drawn = Math.floor(Math.random() * GIVEN_NAMES);
  device.set(DRAWN, String(drawn));
  return drawn;
}

class VisitorName {
  readonly #drawn = drawNumber();
  #chosen = $state(device.get(STORED)?.slice(0, NAME_LENGTH) ?? "");

  /** What stands in the name field; empty until something was chosen. */
  get chosen(): string {
    return this.#chosen;
  }

  set chosen(name: string) {
    this.#chosen = name.slice(0, NAME_LENGTH);
    device.set(STORED, this.#chosen);
  }

  /** The name to play under: the chosen one, or the one that was given. */
  get spoken(): string {
    return this.#chosen.trim() || this.given;
  }

  /** Take over what the server says is the name on all devices; return whether it has to be told another one. */
  meet(shared: string | null): boolean {
    const changed = shared !== null && this.#chosen.trim() !== "" && this.#chosen !== device.get(SHARED);
    if (shared === null || changed) return changed && this.#chosen.trim() !== shared;
    this.chosen = shared;
    this.share(shared);
    return false;
  }

  /** Have no name of one's own: this browser is somebody else now. */
  forget(): void {
    this.chosen = "";
    device.remove(SHARED);
  }

  /** Remember what the server was told. */
  share(name: string): void {
    device.set(SHARED, name);
  }

  /** A garden name that was drawn once, in the reader's language. */
  get given(): string {
    return t("common.garden_names").split(", ")[this.#drawn] ?? "";
  }
}

export const visitor = new VisitorName();
