// The score sheet, and what is open of the count while the game runs: what the visitors see. Hands count at the end.
// The engine makes the entries and their points (`write_entries` of `games/topiary/writing.py`); `wording.ts` has their words.

import type { Causes, Reserve, SheetSpec, Standing } from "../../core/game";
import type { Sheet, TopiaryView } from "../../client/messages";
import VisitorIcon from "./VisitorIcon.svelte";
import { entryWords, partWords } from "./wording";
import { t } from "./words";

/** The size from which a sculpture is large. */
const LARGE = 4;

export default {
  entry: entryWords,
  part: partWords,
  soFar: (view) => soFar(view as TopiaryView),
  note: () => t("topiary.hands_later"),
  causes: {
    of: ({ kind, parts, points }) => {
      if (kind === "hand") return { hand: points };
      const found = { large: 0, small: 0, pairs: 0 };
      for (const part of parts) {
        found[part.kind === "bonus" ? "pairs" : part.points >= LARGE ? "large" : "small"] += part.points;
      }
      return found;
    },
    words: (cause, n, name) => t(`topiary.cause.${cause}`, { you: name === null ? "yes" : "no", name: name ?? "", n }),
  } satisfies Causes<"large" | "small" | "pairs" | "hand">,
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
