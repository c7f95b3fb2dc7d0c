// A move in words, for the log and for those who listen. What a game has no words for is shown in notation.

import type { GamePage, Seen } from "../../core/game";
import type { LogEntry, Move } from "../../client/messages";
import { t } from "../../shell/words.svelte";

type Logged = Pick<LogEntry, "seat" | "say" | "move" | "undo"> & Partial<Pick<LogEntry, "ending">>;

/** A line of the log. */
export function describe(game: GamePage, told: Logged, names: string[]): string {
  return lineWords(game, told, names, game.log.words);
}

/** The same for those who listen. */
export function describeAloud(game: GamePage, told: Logged, names: string[]): string {
  return lineWords(game, told, names, game.log.aloud ?? game.log.words);
}

function lineWords(game: GamePage, told: Logged, names: string[], words: GamePage["log"]["words"]): string {
  const { seat, say, move, undo, ending } = told;
  if (ending) return t(`rights.ended_${ending}`, { names: names[seat ?? -1] ?? "", n: 1 });
  if (seat === null) return (move && game.log.chance?.(move)) ?? say;
  const name = names[seat] ?? "";
  if (undo) return t("table.say_undo", { name });
  return (move && words(move, name)) ?? `${name}: ${say}`;
}

/** Some moves in a row that lead from one position to the next: `Ann plays card 7, King to b3`. */
export function describeAll(game: GamePage, seat: number | null, moves: readonly Move[], names: string[]): string {
  const [first] = moves;
  return inARow(game, moves, (move) =>
    move === first ? describe(game, { seat, say: move.say, move, undo: false }, names) : unnamed(game, move),
  );
}

/** Some moves of one player in words, without a name: `King to b3, stops moving`. */
export function choiceWords(game: GamePage, moves: readonly Move[], seen?: Seen): string {
  const text = inARow(game, moves, (move) => unnamed(game, move, seen));
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** Choices that are shown together; different ones that read the same are said to be at other places. */
export function choicesWords(game: GamePage, choices: readonly (readonly Move[])[], seen?: Seen): string[] {
  const alike: Record<string, string[]> = {};
  return choices.map((moves) => {
    const words = choiceWords(game, moves, seen);
    const turns = (alike[words] ??= []);
    const turn = moves.map(({ say }) => say).join();
    if (!turns.includes(turn)) turns.push(turn);
    const n = turns.indexOf(turn);
    return n ? `${words}, ${t(n > 1 ? "table.place_3" : "table.place_2")}` : words;
  });
}

/** A choice for those who listen, where they hear more than is read. */
export function choiceAloud(game: GamePage, moves: readonly Move[]): string {
  return inARow(game, moves, (move) => withoutName(game.log.aloud?.(move, "")) ?? unnamed(game, move));
}

function inARow({ log }: GamePage, moves: readonly Move[], words: (move: Move) => string): string {
  const said = moves.map((move, i) => (moves[i - 1] && log.goesOn?.(move, moves[i - 1]!)) ?? words(move));
  return said.join(", ");
}

function unnamed({ log }: GamePage, move: Move, seen?: Seen): string {
  return withoutName(log.choice?.(move, seen) ?? log.words(move, "")) ?? move.say;
}

function withoutName(words: string | undefined): string | undefined {
  return words?.replace(/^[\s:]+/, "");
}
