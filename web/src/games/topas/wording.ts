// Cards, rows, squares and moves in words.

import type { Entry, Part, TopasMove, TopasView, Why } from "../../client/messages";
import type { Offer } from "./board/offer";
import { type Gems, gemsOf } from "./halves";
import { t, type Word } from "./words";

export function cardWords(card: string): string {
  const [first, second] = gemsOf(card).map(gemsWords);
  return t("topas.card", { first: first ?? "", second: second ?? "" });
}

function gemsWords({ colour, gems }: Gems): string {
  return t("topas.gems", { colour, n: gems });
}

/** The words for where a heading leads: "north", "vers le nord". */
export function towardWords(heading: string): string {
  return t(`table.toward_${heading}` as Word);
}

/** How rows come to points: `6 + 3 = 9`. */
export function sum(rows: readonly { gems: number }[], points: number | null, expert: boolean): string {
  const parts = rows.map((row) => row.gems).join(expert ? " × " : " + ");
  if (points === null) return parts;
  return rows.length > 1 ? `${parts} = ${points}` : `${points}`;
}

function worth({ rows, points }: TopasMove): string {
  if (!rows) return t("topas.fits");
  const named = rows.map((row) => t("topas.row", { gems: gemsWords(row) }));
  return [...(named.length ? named : [t("topas.no_row")]), t("topas.points", { n: points ?? 0 })].join(", ");
}

export function offerWords(offer: Offer): string {
  if (offer.kind === "turned") return t("topas.turned");
  if (offer.kind === "forbidden") {
    return t("topas.too_long", { gems: gemsWords(offer.row) });
  }
  return worth(offer.move);
}

/** A square as those hear it who walk over the felt; `unmarked` without what it is good for. */
export function squareWords(offer: Offer, heading: string, unmarked = false): string {
  if (unmarked) return t("topas.square_plain", { cell: offer.cell, toward: towardWords(heading) });
  return t("topas.square", { cell: offer.cell, toward: towardWords(heading), what: offerWords(offer) });
}

/** Why a move is illegal. */
export function illegalWords({ key, about }: Why): string {
  return t(`topas.illegal.${key}` as Word, {
    limit: about.limit ?? "",
    card: about.card ? cardWords(about.card) : "",
  });
}

/** A move of the log. */
export function moveWords({ piece }: TopasMove, name: string): string {
  return t("topas.log.lay", { name, card: cardWords(piece) });
}

/** Those who listen know the squares by name; on the felt nobody sees these names. */
export function moveWordsAloud({ piece, cells, heading }: TopasMove, name: string): string {
  const where = { cell: cells[0] ?? "", toward: towardWords(heading) };
  return t("topas.log.lay_from", { name, card: cardWords(piece), ...where });
}

/** A move of a hint: nobody sees the names of squares, so it says the rows that the card makes, as far as they are shown. */
export function hintWords(move: TopasMove, { moves }: TopasView): string {
  const { rows } = moves.find(({ say }) => say === move.say) ?? move;
  const made = rows?.map((row) => t("topas.row", { gems: gemsWords(row) })) ?? [];
  const words = moveWords(move, "");
  return made.length ? `${words}: ${made.join(", ")}` : words;
}

export function entryWords({ piece }: Entry): string {
  return cardWords(piece ?? "");
}

export function partWords({ name, points }: Part): string {
  return t("topas.row", { gems: gemsWords({ colour: name, gems: points }) });
}
