// What a game brings to the page. `games/NAME/index.ts` says it once, with these types; nothing outside that folder
// names the game. Keys of words are checked in the folder, by the type `Word` of its `words.ts`.

import type { Component } from "svelte";
import type { BoardProps } from "./board";
import type { OptionValue } from "../client/catalogueEntry";
import type { SoundName } from "../ui/sound/synthesis";
import type { Entry, Move, Part, Sheet, TableState, View, Why } from "../client/messages";

/** What a table, a replay and the coach ask of a game with such views and moves: `games/NAME/index.ts`. */
export interface GamePage<V = View, M extends Move = Move> {
  /** Draws a view and offers its moves. */
  Board: Component<BoardProps<V, M>>;
  /** What everybody has, under the players in the side panel; where there is no room for one, the board shows it. */
  Holdings?: Component<{ view: V; names: string[] }>;
  /** The width of the page from which the side panel finds room; 62rem where nothing is said. */
  sidePanelFrom?: string;
  /** A tile or card of a hand that lies open. */
  Held: Component<{ view: V; part: string }>;
  log: LogSpec<M, V>;
  /** Why a move is illegal. */
  illegal?: (why: Why) => string | undefined;
  sheet: SheetSpec<V>;
  /** What is shown beside a player instead of the number of cards in hand. */
  reserve?: (view: V, seat: number) => Reserve;
  /** The count beside a player, where it is not the open score of the view. */
  standing?: (view: V, seat: number) => Standing;
  guide: GuideSpec<V>;
  /** What keys do on its board besides those of every board. */
  keys?: readonly KeyUse[];
  /** Whether the choices of a hint are told apart when all of them are on the board. */
  showsAllHints: boolean;
  /** Whether a decision and a better one are told apart when both are on the board. */
  showsBothChoices: boolean;
}

/** Moves in words. What a game cannot word is shown in notation, which nothing on the page reads. */
export interface LogSpec<M extends Move = Move, V = View> {
  /** A move of a player, for instance "Ann takes a3". The name may be empty. */
  words: (move: M, name: string) => string | undefined;
  /** The same for those who listen, where it differs. */
  aloud?: (move: M, name: string) => string | undefined;
  /** The same as a choice that nobody has made yet, where it differs. */
  choice?: (move: M, seen?: Seen<V>) => string | undefined;
  /** What a move adds to the one before it, where that has begun what it goes on with: `c3` after "king to b3". */
  goesOn?: (move: M, before: M) => string | undefined;
  /** A move of chance. */
  chance?: (move: Move) => string;
  /** The cells to point at for a move, where they are not those that it names. */
  cells?: (move: M) => string[];
  /** What a move sounds like. */
  sound?: (move: M) => SoundName | undefined;
  /** Whether a move begins a turn. */
  beginsTurn: (move: M) => boolean;
}

/** What is seen where a choice begins, for words that need more than the move. */
export interface Seen<V = View> {
  view: V;
  names: readonly string[];
}

/** The score sheet: `games/NAME/sheet.ts`, which score pages use without a board. */
export interface SheetSpec<V = View> {
  /** A picture beside a line. */
  Picture?: Component<{ entry: Entry }>;
  entry: (entry: Entry) => string;
  part: (part: Part) => string;
  /** What is open of the count while the game runs, where the server is not to be asked for it. */
  soFar?: (view: V) => Sheet;
  /** A sentence above the sheet while the game runs. */
  note?: () => string;
  /** The kinds of points by which players are compared once a game is over. */
  causes?: Causes;
  /** How the game ended, where nobody won it; `name` as in `causes`. */
  verdict?: (sheet: Sheet, name: string | null) => string | undefined;
  /** What a result of somebody who played alone is worth. */
  alone?: (sheet: Sheet, options: TableState["options"]) => string | undefined;
  /** Why one of several with the same points won. */
  tie?: (points: number) => string;
}

export interface Causes<Cause extends string = string> {
  /** The points of a line, by cause. */
  of: (entry: Entry) => Partial<Record<Cause, number>>;
  /** What decided a game, of the reader (null) or about somebody: "your hedges and mazes brought 6 more". */
  words(cause: Cause, n: number, name: string | null): string;
}

export interface Standing {
  points: number;
  /** With how many the game is won at once. */
  goal?: number;
  words: string;
}

export interface Reserve {
  n: number;
  words: string;
  Icon?: Component;
}

/** The lessons of a first game. They are chosen by the view: its phase, the options of the table, who looks. */
export interface GuideSpec<V = View> {
  /** What the whole game is about, said before all else. */
  aim?: (view: V) => Tip;
  /** What is said when the phase of the view begins; nothing where there are none. */
  tips: (view: V) => readonly Tip[];
}

/** A tip in a game's words; `Word` are their keys. */
export interface Tip<Word = string> {
  words: Word;
  /** What it is about: everything on the board that this selector finds. */
  look: string;
}

/** What a key does, in a game's words: `space`, or what stands on it. */
export interface KeyUse<Word = string> {
  key: string;
  does: Word;
}

/** What the start page says of a game: `games/NAME/card.ts`. */
export interface GameCard<Word = string> {
  Picture: Component;
  /** The key of a sentence or two on what the game is about. */
  about?: Word;
  /** Minutes of a first game against a bot: about half a minute for a placement, less for what follows from it. */
  minutes?: number;
  /** How much there is to keep in mind. */
  weight?: "easy" | "medium" | "hard";
  /** The anchor of what `docs/findings.md` says of it. */
  findings?: string;
  /** The key of how the champion compares with the strongest level. */
  champion?: Word;
  /** The key of a value of an option, where `option_NAME_VALUE` has no words. */
  value?: (option: string, value: OptionValue) => Word | undefined;
}

/** What the page that counts a game played with the real box is given: `games/NAME/Score.svelte`. */
export interface ScoreProps {
  /** All games that have such a page, to lead there. */
  games: readonly string[];
}

/** What the page on which a box is drawn is given: `games/NAME/Box.svelte`. */
export interface BoxProps {
  /** Begins a game with the content of a box file, for a number of players; gives why it can't, if so. */
  ontry: (box: Record<string, unknown>, players: number) => Promise<string>;
}

/** The rules page of a game: `games/NAME/rules.ts`. */
export interface GameRules {
  chapters: Chapter[];
  /** The positions of a real game that the chapters show, as the server gave them. */
  views: Record<string, View>;
  /** The rulings that players need not be told, by number, and why. All others are told by a chapter. */
  untold: Record<string, string>;
}

/** A chapter in a game's words; `Word` are their keys. */
export interface Chapter<Word = string> {
  /** Its anchor in the address. */
  name: string;
  title: Word;
  paragraphs: Paragraph<Word>[];
  scene?: Step<Word>[];
}

export interface Paragraph<Word = string> {
  words: Word;
  /** The numbers of the rulings that it tells, in docs/rules. */
  rulings: string[];
  /** A page for it. */
  leads?: { to: string; words: Word };
}

/** A tip of the rules page, with the position that shows it: `games/NAME/tips.json`, by `python -m studies.tips`. */
export interface ShownTip {
  /** Its words are `tips.NAME` of the game. */
  name: string;
  view: View;
  lit: string[];
  /** What is in a hand that the small board does not draw. */
  held: string[];
  /** The moves that are advised, one after the other, and the one that is not. */
  better: Move[];
  worse: Move[];
}

/** One position of a scene. Where its view holds a move, playing it leads to the next step. */
export interface Step<Word = string> {
  /** Its name among the views. */
  view: string;
  say: Word;
  lit?: string[];
  last?: string[];
  /** The numbers of the rulings that it shows. */
  rulings?: string[];
}
