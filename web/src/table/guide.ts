// What a first game is told in each phase, and what it should look at.

import type { View } from "../lib/messages";
import type { Key } from "../lib/words.svelte";

export interface Tip {
  words: Key;
  /** What it is about: everything on the board that this selector finds. */
  look: string;
}

const GARDEN = ".topiary > svg";
const FELT = ".felt";
const PLAN = ".garden";
const DESK = ".desk";

/** Per phase, what each of its tips is about. */
const LOOKS: Record<View["game"], Record<string, readonly string[]>> = {
  topiary: {
    draft: [".hand"],
    line: [GARDEN, GARDEN, GARDEN],
    take: [".cell.open", GARDEN],
    put: [".hand", ".hand"],
  },
  topas: { lay: [".dock", FELT, FELT] },
  schlossgarten: { card: [DESK, DESK], move: [PLAN, DESK], work: [PLAN, DESK], build: [DESK] },
};

/** What the whole game is about, said before all else. */
const WHOLE: Record<View["game"], string> = { topiary: GARDEN, topas: FELT, schlossgarten: PLAN };

export function aimOf({ game }: View): Tip {
  return { words: `table.guide_${game}_aim`, look: WHOLE[game] };
}

export function tipsOf({ game, phase, moves }: View): Tip[] {
  const looks = moves.length ? (LOOKS[game][phase] ?? []) : [];
  return looks.map((look, i) => ({ words: `table.guide_${game}_${phase}_${i + 1}` as Key, look }));
}
