// The score sheet: a line for each tile that is kept and for each element.
// The engine makes the entries and their points (`write_entries` of `games/schlossgarten/writing.py`); `wording.ts` has their words.

import type { Causes, SheetSpec } from "../../core/game";
import { entryWords } from "./wording";
import { t } from "./words";

export default {
  entry: entryWords,
  part: ({ name }) => name,
  causes: {
    of: ({ kind, piece, points }) =>
      kind === "tile" ? { tiles: points } : piece?.startsWith("G") ? { hedges: points } : { fountains: points },
    words: (cause, n, name) =>
      t(`schlossgarten.cause.${cause}`, { you: name === null ? "yes" : "no", name: name ?? "", n }),
  } satisfies Causes<"tiles" | "hedges" | "fountains">,
} satisfies SheetSpec;
