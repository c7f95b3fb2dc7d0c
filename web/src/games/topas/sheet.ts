// The score sheet: a line for each card.
// The engine makes the entries and their points (`write_entries` of `games/topas/writing.py`); `wording.ts` has their words.

import type { Causes, SheetSpec } from "../../core/game";
import { levelName } from "../../core/levels";
import EntryPicture from "./EntryPicture.svelte";
import { entryWords, partWords } from "./wording";
import { t } from "./words";

export default {
  Picture: EntryPicture,
  entry: entryWords,
  part: partWords,
  causes: {
    of: ({ parts, points }) => (parts.length > 1 ? { rows: points } : { row: points }),
    words: (cause, n, name) => t(`topas.cause.${cause}`, { you: name === null ? "yes" : "no", name: name ?? "", n }),
  } satisfies Causes<"rows" | "row">,
  // Alone nobody wins: four columns are filled, and the lowest of them counts.
  verdict: ({ columns, scores }, name) =>
    columns.length
      ? t("topas.solitaire", { you: name === null ? "yes" : "no", name: name ?? "", n: scores[0] ?? 0 })
      : undefined,
  // Measured without the expert variant (studies/search.md).
  alone: ({ columns }, options) =>
    columns.length && !options["expert"] ? t("topas.alone_more", { yew: levelName("level6") }) : undefined,
} satisfies SheetSpec;
