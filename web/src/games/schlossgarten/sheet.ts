// The score sheet: a line for each tile that is kept and for each element.

import type { SheetSpec } from "../../core/game";
import { elementName } from "./board/labels";
import { entryWords } from "./wording";
import { t } from "./words";

export default {
  entry: entryWords,
  part: ({ name }) => name,
  best: ({ kind, piece, points }, name) =>
    kind === "element" && piece
      ? t("schlossgarten.best", {
          you: name === null ? "yes" : "no",
          name: name ?? "",
          thing: elementName(piece.charAt(0), Number(piece.charAt(1))),
          n: points,
        })
      : undefined,
} satisfies SheetSpec;
