// One page in a review: it leads, follows who leads, or looks on its own. Others are told what it shows while it leads.

import type { Refused, ReviewedPlace, ReviewPointed, ReviewState } from "../../client/messages";
import type { AskReview, TellReview } from "../../client/reviewConnection";
import { isSame } from "./shown";

/** Milliseconds between two places that the others are told: who plays a game through goes on faster. */
const BETWEEN = 150;
/** Milliseconds for which it is shown where somebody points. */
const POINTED = 6000;
/** Milliseconds after which it leads where nobody does: until then it may hear from another node that somebody does. */
const CLAIM = 500;

/** Why the server closes a connection, where that is said on the page. */
const FULL = "this review is full";

/** Whether nobody needs to go anywhere: the same is shown by the same one, or by nobody any more. */
function isAlike(before: ReviewState | undefined, now: ReviewState): boolean {
  if (!before?.place || !now.place || !isSame(before.place, now.place)) return false;
  return now.leader === null || (before.leader === now.leader && before.mine === now.mine);
}

export class Follower {
  /** How it stands, as it was told last; nothing before that. */
  state = $state.raw<ReviewState>();
  /** Whether what is shown here is what the one who leads shows. */
  follows = $state(true);
  /** Where somebody points now. */
  pointed = $state.raw<ReviewPointed>();
  /** Why what was asked last is not done. */
  refused = $state.raw<Refused>();
  /** Whether the connection is there. */
  here = $state(false);
  /** Whether there is none since too many are there. */
  full = $state(false);
  /** The place on this board. */
  #shown: ReviewedPlace | undefined;
  /** The place that was told last, while the board still has to go there, and going there. */
  #next: ReviewedPlace | undefined;
  #going: Promise<void> | undefined;
  #told = 0;
  #soon: ReturnType<typeof setTimeout> | undefined;
  #fading: ReturnType<typeof setTimeout> | undefined;
  #claiming: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly say: (message: AskReview) => void,
    /** Shows a place on this board. */
    private readonly show: (place: ReviewedPlace) => Promise<void>,
    private readonly name: () => string,
    /** Whether it leads as soon as nobody else does: it did before, or has opened the review. */
    private wantsToLead = false,
  ) {}

  get leads(): boolean {
    return this.state?.mine ?? false;
  }

  hear(message: TellReview): void {
    if (message.type === "pointed") return this.#seePoint(message);
    if (message.type === "refused") {
      this.refused = message;
      return;
    }
    const before = this.state;
    this.here = true;
    this.full = false;
    this.refused = undefined;
    this.state = message;
    const { leader, mine, place } = message;
    // Who led before the connection was lost, and goes on leading, stays where it has gone meanwhile.
    const stays = before !== undefined && this.wantsToLead && leader === null;
    if (mine) this.#next = undefined;
    else if (this.follows && place && !stays && !isAlike(before, message)) void this.#goTo(place);
    // One of this name is this page itself, by a connection that the server does not know to be lost.
    if (leader !== null && (mine || leader !== this.name())) this.wantsToLead = false;
    if (this.wantsToLead && leader === null) this.#claiming ??= setTimeout(() => void this.#claim(), CLAIM);
  }

  /** Lead, if still nobody does. */
  async #claim(): Promise<void> {
    await this.#going;
    this.#claiming = undefined;
    if (this.here && this.wantsToLead && this.state?.leader === null) this.lead();
  }

  /** The connection is lost; who led goes on leading when it is back, unless somebody else does. */
  lost(reason = ""): void {
    if (this.here && this.leads) this.wantsToLead = true;
    this.here = false;
    this.full = reason === FULL;
  }

  /** The board shows a place: because it was told to, or since somebody here went there. */
  moved(place: ReviewedPlace): void {
    const before = this.#shown;
    this.#shown = place;
    if (!before || this.#going || isSame(before, place)) return;
    if (this.leads) this.#tellSoon();
    else if (this.state?.leader) this.follows = false;
  }

  /** Lead from now on, from the place that is shown here. */
  lead(): void {
    if (!this.#shown) return;
    this.follows = true;
    this.refused = undefined;
    this.#told = performance.now();
    this.say({ type: "lead", name: this.name(), place: this.#shown });
  }

  /** Follow who leads again. */
  follow(): void {
    this.follows = true;
    if (!this.leads && this.state?.place) void this.#goTo(this.state.place);
  }

  /** Point at a cell for all, or at nothing. */
  point(cell: string | null): void {
    this.refused = undefined;
    this.say({ type: "point", name: this.name(), cell });
    this.#seePoint({ type: "pointed", name: this.name(), cell });
  }

  close(): void {
    this.wantsToLead = false;
    clearTimeout(this.#claiming);
    clearTimeout(this.#soon);
    clearTimeout(this.#fading);
  }

  #seePoint(pointed: ReviewPointed): void {
    clearTimeout(this.#fading);
    this.pointed = pointed.cell === null ? undefined : pointed;
    this.#fading = setTimeout(() => (this.pointed = undefined), POINTED);
  }

  /** Go to a place; where the board is still on its way to others, those between are left out. */
  #goTo(place: ReviewedPlace): Promise<void> {
    this.#next = place;
    this.#going ??= this.#goOn().finally(() => this.#arrived());
    return this.#going;
  }

  #arrived(): void {
    this.#going = undefined;
    const told = this.state?.place;
    if (this.leads && this.#shown && !(told && isSame(this.#shown, told))) this.#tellSoon();
  }

  async #goOn(): Promise<void> {
    for (let place = this.#next; place; place = this.#next) {
      this.#next = undefined;
      await this.show(place);
    }
  }

  #tellSoon(): void {
    clearTimeout(this.#soon);
    const passed = performance.now() - this.#told;
    if (passed >= BETWEEN) this.#tell();
    else this.#soon = setTimeout(() => this.#tell(), BETWEEN - passed);
  }

  #tell(): void {
    if (!this.leads || !this.#shown) return;
    this.#told = performance.now();
    this.say({ type: "show", place: this.#shown });
  }
}
