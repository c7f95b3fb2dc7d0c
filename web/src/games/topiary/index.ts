// Topiary: what tables, replays and the coach ask of it.

import type { GamePage, Tip } from "../../core/game";
import type { TopiaryMove, TopiaryView } from "../../client/messages";
import Board from "./Board.svelte";
import Held from "./Held.svelte";
import sheet, { reserve, standing } from "./sheet";
import { choiceWords, illegalWords, moveWords } from "./wording";
import type { Word } from "./words";

const GARDEN = ".topiary .plot";
const HAND = ".hand";

const AIM: Tip<Word> = { words: "topiary.guide.aim", look: GARDEN };
/** In the draft tiles go from the last seat to the first, which has nobody to pass any on to. */
const DRAFT: Tip<Word> = { words: "topiary.guide.draft", look: HAND };
const DRAFT_FIRST: Tip<Word> = { words: "topiary.guide.draft_first", look: HAND };
const TIPS: Record<string, Tip<Word>[]> = {
  line: [
    { words: "topiary.guide.line_1", look: GARDEN },
    { words: "topiary.guide.line_2", look: GARDEN },
    { words: "topiary.guide.line_3", look: GARDEN },
  ],
  take: [
    { words: "topiary.guide.take_1", look: ".cell.open" },
    { words: "topiary.guide.take_2", look: GARDEN },
  ],
  put: [
    { words: "topiary.guide.put_1", look: HAND },
    { words: "topiary.guide.put_2", look: HAND },
  ],
};

function tips({ phase, viewer }: TopiaryView): Tip<Word>[] {
  if (phase === "draft") return [viewer === 0 ? DRAFT_FIRST : DRAFT];
  return TIPS[phase] ?? [];
}

/** A visitor looks across its line without changing anything there. */
function cells(move: TopiaryMove): string[] {
  return move.kind === "line" ? [] : move.cells;
}

/** People walk; what is taken or put is clipped. */
function sound({ kind }: TopiaryMove): "gravel" | "shears" | undefined {
  return kind === "line" ? "gravel" : kind === "take" || kind === "put" ? "shears" : undefined;
}

export default {
  Board,
  Held,
  log: { words: moveWords, choice: choiceWords, cells, beginsTurn: ({ kind }) => kind === "line", sound },
  illegal: illegalWords,
  sheet,
  reserve,
  standing,
  guide: { aim: () => AIM, tips },
  showsAllHints: true,
  showsBothChoices: true,
} satisfies GamePage<TopiaryView, TopiaryMove>;
