// What an analysis of a finished game says, line by line as it goes on.

import type { Decision, ReplayRequest, Spread } from "../../client/messages";

export type GameRecord = ReplayRequest["record"];

/** What is analysed, and how many steps that takes. */
export interface Begun {
  type: "begun";
  game: string;
  names: string[];
  /** Which bot played on each seat, as far as the record says. */
  bots: (string | null)[];
  steps: number;
}

/** A step is done; of the coach's, one decision, the last of the game first. */
export interface Step {
  type: "step";
  done: number;
  /** Null where there was nothing to decide, and where bots play. */
  decision: Decision | null;
}

/** What the decisions of a game come to, once all of them are known. */
export interface Judged {
  type: "judged";
  /** Indices of the costliest decisions of people in the order of the game, the costliest first. */
  costliest: number[];
  /** Per seat the win chance that its decisions lost, 1 is a whole game; alone a hundredth for each point. */
  lost: number[];
  /** Per seat how many decisions it had, without those that were forced. */
  decisions: number[];
}

/** The same deal, played by bots: each seat's points, and how many of them the real score beats. */
export interface Receipt {
  type: "receipt";
  /** Who played on every seat. */
  bot: string;
  spreads: Spread[];
}

export type Line = Begun | Step | Judged | Receipt;

/** The seats that people played: all where nobody says who did. */
export function peopleIn({ names, bots }: Pick<Begun, "names" | "bots">): number[] {
  const seats = [...names.keys()];
  const own = seats.filter((seat) => !bots[seat]);
  return own.length ? own : seats;
}
