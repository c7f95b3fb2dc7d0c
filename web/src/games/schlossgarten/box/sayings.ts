// What is said of a card, and of what is not as many as it must be.

import { MARKS, type Mark } from "../board/pawns";
import { t } from "../words";
import type { Figure } from "./draft";
import type { CardState } from "./editor.svelte";
import type { Share } from "./progress";

export function marksOf(marks: readonly Mark[]): string {
  return marks.map((mark) => t(`schlossgarten.pawn_${mark}`)).join(", ");
}

/** "complete", "empty", "missing: gardener", "the same as card 7, turned by 90°". */
export function stateOf(figure: Figure, { twins }: CardState): string {
  const missing = MARKS.filter((_, i) => figure[i] === null);
  if (missing.length === MARKS.length) return t("box.is_empty");
  if (missing.length) return t("box.lacks", { marks: marksOf(missing) });
  if (!twins.length) return t("box.is_whole");
  return twins.map(({ other, quarters }) => t("box.same", { other, degrees: quarters * 90 })).join("; ");
}

/** "3 too few", "2 too many"; an empty text where the number is right. */
export function offWords({ n, all }: Share): string {
  if (n < all) return t("box.too_few", { n: all - n });
  return n > all ? t("box.too_many", { n: n - all }) : "";
}
