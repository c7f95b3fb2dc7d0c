// A move in words, for the log and for those who listen. What is not known here stays notation.

import { placement } from "../boards/topas/offer";
import { cardWords, towardWords } from "../boards/topas/wording";
import type { GameName } from "../lib/games";
import type { Told } from "../lib/messages";
import { type Key, t } from "../lib/words.svelte";

type Words = (name: string, parts: string[], say: string) => string | undefined;

const TOPIARY: Record<string, Words> = {
  take: (name, [cell = ""]) => t("table.say_take", { name, cell }),
  pass: (name) => t("table.say_pass", { name }),
  put: (name, [tile = ""]) => t("table.say_put", { name, tile: tileWords(tile) }),
  keep: (name) => t("table.say_keep", { name }),
};

const WORDS: Record<GameName, Words> = {
  topiary: (name, parts, say) => {
    const [verb = "", ...rest] = parts;
    const line = lineParts(say);
    return line ? t("table.say_line", { name, ...line }) : TOPIARY[verb]?.(name, rest, say);
  },
  topas: (name, _, say) => {
    const { card, heading } = placement(say);
    return heading ? t("table.say_lay", { name, card: cardWords(card) }) : undefined;
  },
  schlossgarten: (name, [first = "", verb = "", ...rest]) => {
    if (first === "card") return t("table.say_card", { name, n: verb });
    if (first === "stop" || first === "end") return t(`table.say_${first}`, { name });
    const pawn = pawnWords(first);
    if (!pawn) return undefined;
    if (verb === "dig") return t("table.say_dig", { name, pawn, cell: rest[0] ?? "" });
    if (verb === "build") return t("table.say_build", { name, element: elementWords(`${first}${rest[0]}`) });
    if (rest[0] === "hit") return t("table.say_hit", { name, pawn, cell: verb, refuge: rest[1] ?? "" });
    return t("table.say_step", { name, pawn, cell: verb });
  },
};

/** A line of the log. */
export function describe(game: GameName, told: Pick<Told, "seat" | "say" | "undo">, names: string[]): string {
  if (told.seat === null) return t("table.say_pile");
  const name = names[told.seat] ?? "";
  if (told.undo) return t("table.say_undo", { name });
  return WORDS[game](name, told.say.split(" "), told.say) ?? `${name}: ${told.say}`;
}

/** Some moves of one player in words, without a name: `King to b3, stops moving`. */
export function choiceWords(game: GameName, moves: readonly string[]): string {
  const words = moves.map((say) => {
    const [verb = "", ...rest] = say.split(" ");
    const said = (WORDS[game]("", [verb, ...rest], say) ?? say).replace(/^[\s:]+/, "");
    return verb === "keep" ? `${said}: ${rest.map(tileWords).join(", ")}` : said;
  });
  const text = words.join(", ");
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** The same for those who listen. They know the squares of Topas by name; on the felt nobody sees these names. */
export function describeAloud(game: GameName, told: Pick<Told, "seat" | "say" | "undo">, names: string[]): string {
  if (game !== "topas" || told.seat === null || told.undo) return describe(game, told, names);
  const { card, cell, heading } = placement(told.say);
  const name = names[told.seat] ?? "";
  return t("table.say_lay_from", { name, card: cardWords(card), cell, toward: towardWords(heading) });
}

/** `a3E` as the words of its cell and heading. */
export function lineParts(line: string): { cell: string; heading: string; toward: string } | undefined {
  const found = /^([a-e][1-5])([NESW]{1,2})$/.exec(line);
  if (!found) return undefined;
  const [, cell = "", heading = ""] = found;
  return { cell, heading: t(`table.heading_${heading}` as Key), toward: towardWords(heading) };
}

/** `T3` as "T-Rex 3". */
export function tileWords(tile: string): string {
  return /^[TWSEPHOL][1-5]$/.test(tile) ? `${typeWords(tile.charAt(0))} ${tile.charAt(1)}` : tile;
}

export function typeWords(letter: string): string {
  return t(`table.type_${letter}` as Key);
}

/** `G3` as "Maze". */
export function elementWords(element: string): string {
  return /^[GA][1-3]$/.test(element) ? t(`table.element_${element}` as Key) : element;
}

function pawnWords(mark: string): string | undefined {
  return /^[KGA]$/.test(mark) ? t(`table.pawn_${mark}` as Key) : undefined;
}
