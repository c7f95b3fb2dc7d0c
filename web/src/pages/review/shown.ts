// What is shown in a review, as it is told: a place of the analysis board without the record, which every page has.

import type { ReviewedPlace, ReplayRequest } from "../../client/messages";
import { gameOf, peopleOf, type Place, placeIn, placeOfText, WrongPlace } from "../analysis/place";

/** A place as the others are told. */
export function told({ source, seed, plies = 0, path }: Place): ReviewedPlace {
  return { seed, plies, path, position: "position" in source ? source.position : null };
}

/** The place in a game that was told. Raises WrongPlace where it is one of another game. */
export function placeTold(record: ReplayRequest["record"], { seed, plies = 0, path, position }: ReviewedPlace): Place {
  const game = placeIn(record, plies);
  if (typeof position !== "string") return { ...game, seed, path };
  const seen = { ...placeOfText(position, peopleOf(game)), seed, path };
  if (gameOf(seen) !== gameOf(game)) throw new WrongPlace("game");
  return seen;
}

/** Positions that were tried, from which on the board starts anew: others may add to them without end. */
export const MOST = 2000;

/** Whether a board on which `tried` positions were tried goes on to a place; else it starts anew there. */
export function goesOn(tried: number, here: ReviewedPlace, place: ReviewedPlace): boolean {
  return tried < MOST && isBeside(here, place);
}

/** Whether two places go out from the same position. */
export function isBeside(one: ReviewedPlace, other: ReviewedPlace): boolean {
  return (one.position ?? null) === (other.position ?? null) && one.seed === other.seed;
}

export function isSame(one: ReviewedPlace, other: ReviewedPlace): boolean {
  return (
    isBeside(one, other) && (one.plies ?? 0) === (other.plies ?? 0) && one.path.join("\n") === other.path.join("\n")
  );
}
