// What was entered on a score page, saved in this browser so that a reload loses nothing.

import { device } from "../shell/store";
import { MOST, type Players } from "./players";

const STORED = "bosquet.score.";

export class SavedInput<Entered extends Players> {
  value: Entered;

  /**
   * To be made while a component is set up. `fresh` gives what is entered at first, `lists` an example of each item of a
   * list, and of each value of a record, that is empty then: what is kept is taken only where it is of these types.
   */
  constructor(
    name: string,
    private fresh: () => Entered,
    lists: { [Field in keyof Entered]?: unknown },
  ) {
    this.value = $state(this.#stored(device.read(STORED + name), lists) ?? fresh());
    $effect(() => void device.set(STORED + name, JSON.stringify(this.value)));
  }

  /** Begin anew; who plays stays. */
  startOver(stays: Partial<Entered>): void {
    this.value = { ...this.fresh(), ...stays };
  }

  #stored(found: unknown, lists: object): Entered | undefined {
    const model = { ...this.fresh(), ...lists };
    if (!isLike(found, model)) return undefined;
    const { players } = found as Entered;
    return players >= 1 && players <= MOST ? (found as Entered) : undefined;
  }
}

/** Whether a value has the types of a model: of a list each item as its first one, of `{ "*": … }` each value. */
function isLike(value: unknown, model: unknown): boolean {
  if (typeof value === "number") return typeof model === "number" && Number.isInteger(value) && value >= 0;
  if (typeof value !== "object") return typeof value === typeof model;
  if (!value || !model || typeof model !== "object" || Array.isArray(value) !== Array.isArray(model)) return false;
  if (Array.isArray(value)) return value.every((item) => isLike(item, (model as unknown[])[0]));
  const given = value as Record<string, unknown>;
  const { "*": each, ...named } = model as Record<string, unknown>;
  if (each !== undefined) return Object.values(given).every((one) => isLike(one, each));
  return Object.entries(named).every(([name, one]) => isLike(given[name], one));
}
