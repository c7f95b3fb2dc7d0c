// The cards in hand: which is chosen, how each is turned, and the square it is held over.

import { TURNS } from "../../art/layout";
import type { TopasView } from "../../../../client/messages";
import { device } from "../../../../shell/store";
import { type Offer, offers, onFrom } from "../offer";

const CONFIRMS = "bosquet.topas.confirm";
/** Milliseconds for which the felt lies still under the pointer before a click lays a card on it. */
const STILL = 350;

export class Hand {
  readonly #view: () => TopasView;
  readonly #playing: () => boolean;
  #picked = $state<string | null>(null);
  #turns = $state<Record<string, number>>({});
  #aim = $state<string | null>(null);
  #pinned = $state(false);
  /** Whether the felt was pressed with no card in hand: that one is to be chosen is then said with weight. */
  missed = $state(false);
  /** When the felt moved last under the pointer. */
  #moved = -Infinity;
  /** Where the mouse carries the chosen card, in pixels of the window. */
  carried = $state.raw<{ x: number; y: number } | null>(null);
  /** Whether the second click lays a card, as on a phone the second tap does. */
  #confirms = $state(device.get(CONFIRMS) === "yes");

  constructor(view: () => TopasView, playing: () => boolean) {
    this.#view = view;
    this.#playing = playing;
  }

  readonly cards = $derived.by(() => {
    const { hand, moves } = this.#view();
    return hand?.length ? hand : [...new Set(moves.map(({ piece }) => piece))];
  });

  readonly chosen = $derived.by(() => {
    if (!this.#playing()) return null;
    const picked = this.#picked !== null && this.cards.includes(this.#picked) ? this.#picked : null;
    return this.cards.length === 1 ? this.cards[0]! : picked;
  });

  /** Whether a card was chosen by hand, not because it is the only one. */
  readonly picked = $derived(this.chosen !== null && this.#picked === this.chosen);

  readonly heading = $derived(this.chosen === null ? "E" : this.headingOf(this.chosen));

  readonly offers: Map<string, Offer> = $derived.by(() =>
    this.chosen === null ? new Map() : offers(this.#view(), this.chosen, this.heading),
  );

  readonly aimed: Offer | null = $derived((this.aim !== null && this.offers.get(this.aim)) || null);

  /** How often a card has been turned by a quarter, clockwise. */
  turnsOf(card: string): number {
    return this.#turns[card] ?? 0;
  }

  headingOf(card: string): string {
    return TURNS[this.turnsOf(card) % TURNS.length]!;
  }

  /** The square over which the chosen card is held. */
  get aim(): string | null {
    return this.#aim;
  }

  set aim(cell: string | null) {
    if (cell === this.#aim) return;
    this.#aim = cell;
    this.#pinned = false;
  }

  /** Whether the card stays there, waiting to be laid, wherever the pointer goes. */
  get pinned(): boolean {
    return this.#pinned;
  }

  pin(cell: string): void {
    this.aim = cell;
    this.#pinned = true;
  }

  get confirms(): boolean {
    return this.#confirms;
  }

  set confirms(yes: boolean) {
    this.#confirms = yes;
    device.set(CONFIRMS, yes ? "yes" : "no");
  }

  /** The felt is about to move under the pointer: a click that is made before that is seen was meant for another square. */
  shift(): void {
    this.#moved = performance.now();
  }

  /** Whether a click on a square means to lay the card: the square was there to be seen, or what can't hover is back. */
  means(cell: string, blind: boolean): boolean {
    if (cell !== this.#aim || (!this.#pinned && (blind || this.#confirms))) return false;
    return blind || performance.now() - this.#moved >= STILL;
  }

  choose(card: string): void {
    this.missed = false;
    this.#picked = card;
    this.aim = null;
  }

  /** Turn the chosen card clockwise, by one quarter or until it heads where asked. */
  turn(heading = onFrom(this.heading)[0]!): void {
    if (this.chosen === null) return;
    this.#turns[this.chosen] = this.turnsOf(this.chosen) + 1 + onFrom(this.heading).indexOf(heading);
  }

  /** Escape: first the square, then the card is let go, and lies as before it was turned. */
  stepBack(): void {
    if (this.aim !== null) this.aim = null;
    else {
      if (this.chosen !== null) this.#turns[this.chosen] = 0;
      this.#picked = null;
    }
  }

  letGo(): void {
    this.#picked = null;
    this.aim = null;
  }
}
