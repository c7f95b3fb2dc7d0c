// Walking to the figure that was chosen: its card and its steps are played one after the other, as ordinary moves.

import type { Choice } from "./choice.svelte";

export class Walk {
  /** Whether the next step is made by itself. */
  going = $state(false);
  /** How many steps are left when the move that was made last has arrived. */
  #left = 0;
  #made = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `pace` gives the milliseconds from one step to the next. */
  constructor(
    readonly choice: Choice,
    readonly pace: () => number,
  ) {}

  /** How many steps there are to walk; none where no figure is chosen, or somebody has gone another way. */
  steps = $derived.by(() => (this.choice.moves.length ? (this.choice.ahead?.data.length ?? 0) : 0));

  start(): void {
    this.going = true;
    this.#step(false);
  }

  stop(): void {
    this.going = false;
    clearTimeout(this.#timer);
  }

  /** Go on from a position that has arrived: only from the one that the last move led to. */
  follow(): void {
    if (!this.going) return;
    clearTimeout(this.#timer);
    const expected = this.choice.view().phase === "move" && this.steps === this.#left;
    if (!expected || !this.#next()) this.stop();
    else
      this.#timer = setTimeout(
        () => this.#step(true),
        this.pace() && Math.max(0, this.#made + this.pace() - performance.now()),
      );
  }

  /** Make the next move: by itself, or because somebody pressed. */
  #step(byItself: boolean): void {
    const say = this.#next();
    if (!say) return this.stop();
    this.#left = this.choice.view().phase === "card" ? this.steps : this.steps - 1;
    this.#made = performance.now();
    this.choice.onmove()?.(say, byItself);
  }

  /** The move that comes next, if it is offered: the card, or a step. */
  #next(): string | undefined {
    const { card, moves, ahead } = this.choice;
    if (!this.steps) return undefined;
    const wanted = ahead?.data[0]?.say;
    const found = moves.find(({ kind, piece, say }) => (kind === "card" ? Number(piece) === card : say === wanted));
    return found?.say;
  }
}
