// What the numbers of the coach come to in words.

import type { Choice, Decision } from "../../server/messages";
import { language, t } from "../../shell/words.svelte";
import { percent, tenths } from "../../ui/numbers";

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

/** What was lost and why, or that it was fine: `45 % to win, where 97 % was possible: 10.8 points fewer to come.` */
export function whyWords(decision: Decision, fine = ""): string {
  const top = decision.best[0];
  if (!top || (fine && !decision.loss)) return fine;
  const chances = { best: hopeWords(top, decision.seat), made: hopeWords(decision.made, decision.seat) };
  if (alone(decision)) return `${t("coach.points_instead", chances)}.`;
  const lost = t("coach.chances", chances);
  return decision.reason
    ? `${lost}${colon()}${reasonWords(decision.reason, decision.made.points.length - 1)}.`
    : `${lost}.`;
}

/** How it would have been with everything open; nothing alone, where there is no chance to win. */
export function hindsightWords({ hindsight, made }: Decision): string {
  if (made.points.length === 1) return "";
  return hindsight >= 0.005 ? t("coach.hindsight_worse", { n: percent(hindsight) }) : t("coach.hindsight_well");
}

function reasonWords({ kind, points }: NonNullable<Decision["reason"]>, others: number): string {
  if (kind === "given_away") return t("coach.reason_given_away", { n: points });
  return kind === "opened"
    ? t("coach.reason_opened", { n: points, others })
    : t("coach.reason_unscored", { n: points });
}

function colon(): string {
  return language() === "fr" ? "\u202f: " : ": ";
}
