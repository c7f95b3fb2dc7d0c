// Der Prestel Schlossgarten: what tables, replays and the coach ask of it.

import type { GamePage, KeyUse, Standing, Tip } from "../../core/game";
import type { SchlossgartenMove, SchlossgartenView } from "../../client/messages";
import type { SoundName } from "../../ui/sound/synthesis";
import Board from "./Board.svelte";
import Held from "./Held.svelte";
import Holdings from "./board/panel/Holdings.svelte";
import sheet from "./sheet";
import { choiceWords, goesOnWords, illegalWords, moveWords } from "./wording";
import { t, type Word } from "./words";

const GARDEN = ".garden";
const PANEL = ".panel";

const AIM: Tip<Word> = { words: "schlossgarten.guide.aim", look: GARDEN };
const OVER: Tip<Word> = { words: "schlossgarten.guide.over", look: GARDEN };
const TIPS: Record<string, Tip<Word>[]> = {
  card: [
    { words: "schlossgarten.guide.card_1", look: PANEL },
    { words: "schlossgarten.guide.card_2", look: PANEL },
  ],
  move: [
    { words: "schlossgarten.guide.move_1", look: GARDEN },
    { words: "schlossgarten.guide.move_barred", look: GARDEN },
    { words: "schlossgarten.guide.move_hit", look: GARDEN },
    { words: "schlossgarten.guide.move_2", look: PANEL },
  ],
  work: [
    { words: "schlossgarten.guide.work_1", look: GARDEN },
    OVER,
    { words: "schlossgarten.guide.work_2", look: PANEL },
  ],
  build: [{ words: "schlossgarten.guide.build_1", look: PANEL }, OVER],
};
/** What is said in their place at a table where one subject may dig and another build. */
const WORK_OF_EACH: Record<string, Tip<Word>[]> = {
  work: [
    { words: "schlossgarten.guide.work_each", look: GARDEN },
    OVER,
    { words: "schlossgarten.guide.work_2", look: PANEL },
  ],
  build: [{ words: "schlossgarten.guide.build_each", look: PANEL }, OVER],
};

function tips({ phase, options }: SchlossgartenView): Tip<Word>[] {
  return (options.work === "each" && WORK_OF_EACH[phase]) || (TIPS[phase] ?? []);
}

function standing({ scores, goal }: SchlossgartenView, seat: number): Standing {
  const points = scores?.[seat] ?? 0;
  return { points, goal, words: t("schlossgarten.points_of", { n: points, goal }) };
}

const KEYS: KeyUse<Word>[] = [{ key: "space", does: "schlossgarten.keys.space" }];

/** Pawns walk and dig on gravel, elements are clipped into shape. */
function sound({ kind }: SchlossgartenMove): SoundName | undefined {
  if (kind === "card") return "card";
  if (kind === "build") return "shears";
  return kind === "stop" || kind === "end" ? undefined : "gravel";
}

export default {
  Board,
  Held,
  Holdings,
  // The garden has a panel of its own beside it, so the players find room on a wider page only.
  sidePanelFrom: "75rem",
  log: {
    words: moveWords,
    choice: choiceWords,
    goesOn: goesOnWords,
    chance: () => t("schlossgarten.log.pile"),
    cells: ({ cells, refuge }) => (refuge ? [...cells, refuge] : cells),
    beginsTurn: ({ kind }) => kind === "card",
    sound,
  },
  illegal: illegalWords,
  sheet,
  standing,
  guide: { aim: () => AIM, tips },
  keys: KEYS,
  showsAllHints: false,
  showsBothChoices: false,
} satisfies GamePage<SchlossgartenView, SchlossgartenMove>;
