// What the table says of cards, rows and squares.

import type { TopasMove } from "../../lib/messages";
import { type Key, t } from "../../lib/words.svelte";
import type { Offer } from "./offer";

export function cardWords(card: string): string {
  const [first = "", firstGems = "", second = "", secondGems = ""] = card;
  return t("topas.card", {
    first: t("topas.gems", { colour: first, n: Number(firstGems) }),
    second: t("topas.gems", { colour: second, n: Number(secondGems) }),
  });
}

/** The words for where a heading leads: "north", "vers le nord". */
export function towardWords(heading: string): string {
  return t(`table.toward_${heading}` as Key);
}

/** How rows come to points: `6 + 3 = 9`. */
export function sum(rows: readonly { gems: number }[], points: number | null, expert: boolean): string {
  const parts = rows.map((row) => row.gems).join(expert ? " × " : " + ");
  if (points === null) return parts;
  return rows.length > 1 ? `${parts} = ${points}` : `${points}`;
}

function worth({ rows, points }: TopasMove): string {
  const named = rows.map(({ colour, gems }) => t("topas.row", { gems: t("topas.gems", { colour, n: gems }) }));
  return [...(named.length ? named : [t("topas.no_row")]), t("topas.points", { n: points ?? 0 })].join(", ");
}

export function offerWords(offer: Offer): string {
  if (offer.kind === "turned") return t("topas.turned");
  if (offer.kind === "forbidden") {
    return t("topas.too_long", { gems: t("topas.gems", { colour: offer.row.colour, n: offer.row.gems }) });
  }
  return worth(offer.move);
}

export function squareWords(offer: Offer, heading: string): string {
  return t("topas.square", { cell: offer.cell, toward: towardWords(heading), what: offerWords(offer) });
}
