// What the numbers of the coach come to in words.

import type { GamePage } from "../../core/game";
import { choicesWords } from "../../panel/log/moveWords";
import type { Choice, Decision } from "../../client/messages";
import { language, t } from "../../shell/words.svelte";
import { percent, tenths } from "../../ui/numbers";

/** From here on to 0 and to 1 a chance to win is as good as decided. */
const DECIDED = 0.02;

/** Alone nobody wins: points are what counts. */
export function alone({ made }: Decision): boolean {
  return made.points.length === 1;
}

/** What a decision lost: `12 %`, alone `3.4`; an empty text where it lost nothing. It is the difference of the rounded
hopes that stand beside it, where that is not zero. */
export function costWords(decision: Decision): string {
  const { loss, made, best, seat } = decision;
  if (!loss) return "";
  const unit = alone(decision) ? 0.1 : 0.01;
  const rounded = (choice: Choice) => Math.round(hope(choice, seat) / unit);
  const shown = unit * (rounded(best[0] ?? made) - rounded(made));
  if (alone(decision)) return tenths(shown > 0 ? shown : 100 * loss);
  return percent(shown > 0 ? shown : loss);
}

/** What a seat could hope for after a choice. */
export function hope(choice: Choice, seat: number): number {
  return choice.points.length === 1 ? (choice.points[0] ?? 0) : (choice.wins[seat] ?? 0);
}

export function hopeWords(choice: Choice, seat: number): string {
  return choice.points.length === 1 ? tenths(hope(choice, seat)) : percent(hope(choice, seat));
}

/** Whole points that a move gave away where the game was decided and no chance was lost; else 0. */
export function givenAway(decision: Decision): number {
  const { loss, loss_points, best, seat } = decision;
  const chance = best[0]?.wins[seat] ?? 0.5;
  const decided = !loss && !alone(decision) && Math.abs(chance - 0.5) >= 0.5 - DECIDED;
  return decided && loss_points >= 1 ? Math.round(loss_points) : 0;
}

/** That no decision was costly, and how many points were given away all the same. */
export function noneWords(decisions: readonly Decision[]): string {
  const n = decisions.reduce((sum, decision) => sum + givenAway(decision), 0);
  return n ? t("coach.none_decided", { points: t("common.points", { n }) }) : t("coach.none");
}

/** What was played and what was better. */
export function bothWords(game: GamePage, { made, best }: Decision): Record<"made" | "better", string> {
  const [played = "", better = ""] = choicesWords(game, [made.data, best[0]?.data ?? []]);
  return { made: played, better };
}

/** What was lost and why, or that it was fine: `45 % to win, where 97 % was possible: 10.8 points fewer to come.` */
export function whyWords(decision: Decision): string {
  const top = decision.best[0];
  if (!top || !decision.loss) return fineWords(decision);
  const chances = { best: hopeWords(top, decision.seat), made: hopeWords(decision.made, decision.seat) };
  if (alone(decision)) return `${t("coach.points_instead", chances)}.`;
  const why = decision.reason && colon() + reasonWords(decision.reason, decision.made.points.length - 1);
  return `${t("coach.chances", chances)}${why ?? ""}.`;
}

/** How it would have been with everything open; nothing alone, where there is no chance to win. */
export function hindsightWords({ hindsight, made }: Decision): string {
  if (made.points.length === 1) return "";
  return hindsight >= 0.005 ? t("coach.hindsight_worse", { n: percent(hindsight) }) : t("coach.hindsight_well");
}

function fineWords(decision: Decision): string {
  const { made, best } = decision;
  if (made.moves.join() === best[0]?.moves.join()) return t("coach.best_too");
  const n = givenAway(decision);
  return n ? t("coach.decided", { points: t("common.points", { n }) }) : t("coach.as_good");
}

function reasonWords({ kind, points }: NonNullable<Decision["reason"]>, others: number): string {
  return t(`coach.reason_${kind as "given_away" | "opened" | "unscored"}`, { n: points, others });
}

function colon(): string {
  return language() === "fr" ? "\u202f: " : ": ";
}
