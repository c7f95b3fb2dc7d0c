// The score sheet, and what is open of the count while the game runs: what the visitors see. Hands count at the end.

import type { Reserve, SheetSpec, Standing } from "../../core/game";
import type { Sheet, TopiaryView } from "../../server/messages";
import VisitorIcon from "./VisitorIcon.svelte";
import { entryWords, partWords } from "./wording";
import { t } from "./words";

export default {
  entry: entryWords,
  part: partWords,
  soFar: (view) => soFar(view as TopiaryView),
  note: () => t("topiary.hands_later"),
  best: ({ kind, cell, points }, name) =>
    kind === "visitor"
      ? t("topiary.best", { you: name === null ? "yes" : "no", name: name ?? "", cell: cell ?? "", n: points })
      : undefined,
  tie: (n) => t("topiary.tie_broken", { n }),
} satisfies SheetSpec;

function pointsInGarden({ visitors }: TopiaryView, seat: number): number {
  return visitors.reduce((sum, one) => sum + (one.seat === seat ? one.points : 0), 0);
}

export function standing(view: TopiaryView, seat: number): Standing {
  const points = pointsInGarden(view, seat);
  return { points, words: t("topiary.points_in_garden", { n: points }) };
}

export function reserve({ visitors_left }: TopiaryView, seat: number): Reserve {
  const n = visitors_left[seat] ?? 0;
  return { n, words: t("topiary.visitors_left", { n }), Icon: VisitorIcon };
}

function soFar(view: TopiaryView): Sheet {
  return {
    game: view.game,
    entries: view.visitors.map(({ seat, line, cell, heading, points, seen }) => ({
      seat,
      kind: "visitor",
      name: line,
      points,
      cells: seen,
      parts: [],
      combine: "sum",
      piece: null,
      cell,
      heading,
    })),
    scores: view.visitors_left.map((_, seat) => pointsInGarden(view, seat)),
    winners: [],
    columns: [],
  };
}
