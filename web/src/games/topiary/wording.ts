// Tiles, sight lines and moves in words.

import type { Entry, Part, TopiaryMove, Why } from "../../client/messages";
import type { Placing } from "./board/placing";
import { sizeOf, typeOf } from "./tiles";
import { t, type Word } from "./words";

/** A move of the log. */
export function moveWords(move: TopiaryMove, name: string): string | undefined {
  const [cell = ""] = move.cells;
  switch (move.kind) {
    case "line":
      return t("topiary.log.line", { name, ...lineWords(cell, move.heading) });
    case "take":
      return t("topiary.log.take", { name, cell });
    case "pass":
      return t("topiary.log.pass", { name });
    case "put":
      return t("topiary.log.put", { name, tile: tileWords(move.piece ?? "") });
    case "keep":
      return t("topiary.log.keep", { name });
  }
}

/** Why a move is illegal. */
export function illegalWords({ key, about }: Why): string {
  return t(`topiary.illegal.${key}` as Word, { cell: about.cell ?? "", tile: tileWords(about.tile ?? "") });
}

/** A choice says which tiles would be kept. */
export function choiceWords(move: TopiaryMove): string | undefined {
  const { kind, kept = [] } = move;
  return kind === "keep" ? `${moveWords(move, "")}: ${kept.map(tileWords).join(", ")}` : undefined;
}

/** The words of a sight line, by the cell that it begins at and where it heads. */
export function lineWords(
  cell: string | null,
  heading: string | null | undefined,
): { cell: string; heading: string; toward: string } {
  return {
    cell: cell ?? "",
    heading: t(`table.heading_${heading}` as Word),
    toward: t(`table.toward_${heading}` as Word),
  };
}

/** What a sight line sees now, and what tiles in hand will count for it; empty where that is not shown. */
export function sumWords({ sight, inHand }: Placing): string {
  if (sight.points === undefined) return "";
  return t("topiary.sum", { n: sight.points, hand: inHand });
}

/** `T3` as "T-Rex 3". */
export function tileWords(tile: string): string {
  return tile && `${typeWords(typeOf(tile))} ${sizeOf(tile)}`;
}

export function typeWords(letter: string): string {
  return t(`topiary.type_${letter}` as Word);
}

export function entryWords({ kind, piece, cell, heading }: Entry): string {
  return kind === "hand"
    ? t("topiary.sheet.hand", { tile: tileWords(piece ?? "") })
    : t("topiary.sheet.visitor", lineWords(cell, heading));
}

export function partWords({ kind, name, points }: Part): string {
  if (kind === "bonus") return t("topiary.sheet.part_bonus", { type: typeWords(name), n: points });
  return t("topiary.sheet.part_tile", { tile: tileWords(name) });
}
