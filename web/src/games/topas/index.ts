// Topas: what tables, replays and the coach ask of it.

import type { GamePage, KeyUse, Seen, Tip } from "../../core/game";
import type { TopasMove, TopasView } from "../../client/messages";
import Board from "./Board.svelte";
import Held from "./Held.svelte";
import sheet from "./sheet";
import { hintWords, illegalWords, moveWords, moveWordsAloud } from "./wording";
import type { Word } from "./words";

const FELT = ".felt";

function aim(view: TopasView): Tip<Word> {
  return { words: isAlone(view) ? "topas.guide.aim_alone" : "topas.guide.aim", look: FELT };
}

function tips(view: TopasView): Tip<Word>[] {
  if (view.phase !== "lay") return [];
  return [
    { words: isAlone(view) ? "topas.guide.lay_alone" : "topas.guide.lay", look: ".dock" },
    { words: "topas.guide.rows", look: FELT },
    ...(view.options.expert ? [{ words: "topas.guide.expert", look: FELT } as const] : []),
    { words: "topas.guide.seven", look: FELT },
  ];
}

function isAlone({ options }: TopasView): boolean {
  return options.players === 1;
}

const KEYS: KeyUse<Word>[] = [
  { key: "1 – 3", does: "topas.keys.cards" },
  { key: "R", does: "topas.keys.turn" },
];

export default {
  Board,
  Held,
  log: {
    words: moveWords,
    aloud: moveWordsAloud,
    choice: (move: TopasMove, seen?: Seen<TopasView>) => (seen ? hintWords(move, seen.view) : undefined),
    beginsTurn: () => true,
    sound: () => "gem" as const,
  },
  illegal: illegalWords,
  sheet,
  guide: { aim, tips },
  keys: KEYS,
  showsAllHints: false,
  showsBothChoices: true,
} satisfies GamePage<TopasView, TopasMove>;
