// Moves and the lines of the score sheet in words.

import type { Seen } from "../../core/game";
import type { Entry, SchlossgartenMove, SchlossgartenView, Why } from "../../client/messages";
import { t, type Word } from "./words";

/** A move of the log. */
export function moveWords({ kind, piece, cells, refuge }: SchlossgartenMove, name: string): string | undefined {
  const [cell = ""] = cells;
  switch (kind) {
    case "card":
      return t("schlossgarten.log.card", { name, n: piece ?? "" });
    case "stop":
    case "end":
      return t(`schlossgarten.log.${kind}`, { name });
    case "dig":
      return t("schlossgarten.log.dig", { name, pawn: pawnWords(piece), cell });
    case "build":
      return t("schlossgarten.log.build", { name, element: elementWords(piece) });
    case "hit":
      return t("schlossgarten.log.hit", { name, pawn: pawnWords(piece), cell, refuge: refuge ?? "" });
    case "step":
    case "jump":
    case "shift":
      return t("schlossgarten.log.step", { name, pawn: pawnWords(piece), cell });
  }
}

/** A pawn that walks on says where to. */
export function goesOnWords(move: SchlossgartenMove, before: SchlossgartenMove): string | undefined {
  return walks(move) && walks(before) && move.piece === before.piece ? move.cells[0] : undefined;
}

function walks({ kind }: SchlossgartenMove): boolean {
  return kind === "step" || kind === "jump" || kind === "shift";
}

/** A choice says what tells it from others: where it builds, and whose pawn is hit, as far as that is seen. */
export function choiceWords(move: SchlossgartenMove, seen?: Seen<SchlossgartenView>): string | undefined {
  const { kind, piece, cells, refuge } = move;
  if (kind === "build") {
    return t("schlossgarten.log.build_at", { name: "", element: elementWords(piece), cells: cells.join(", ") });
  }
  if (kind !== "hit") return undefined;
  const [cell = ""] = cells;
  const { view, names = [] } = seen ?? {};
  const owner = view?.pawns.findIndex((pawns, seat) => seat !== view.seat && pawns.includes(cell)) ?? -1;
  if (owner < 0) return undefined;
  const whose = { owner: names[owner] ?? "", refuge: refuge ?? "" };
  return t("schlossgarten.log.hit_of", { name: "", pawn: pawnWords(piece), cell, ...whose });
}

/** `G3` as "Maze". */
export function elementWords(element: string | null | undefined): string {
  return t(`schlossgarten.sheet.element_${element}` as Word);
}

export function entryWords({ kind, name, piece }: Entry): string {
  return kind === "element" ? elementWords(piece) : t("schlossgarten.sheet.tile", { cell: name });
}

/** Why a move is illegal. */
export function illegalWords({ key, about }: Why): string {
  return t(`schlossgarten.illegal.${key}` as Word, { ...about, pawn: about.pawn ? pawnWords(about.pawn) : "" });
}

function pawnWords(mark: string | null | undefined): string {
  return t(`schlossgarten.pawn_${mark}` as Word);
}
