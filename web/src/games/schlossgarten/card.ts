// What the start page shows of the game.

import type { GameCard } from "../../core/game";
import Picture from "./Picture.svelte";
import type { Word } from "./words";

export default {
  Picture,
  about: "schlossgarten.about",
  minutes: 20,
  weight: "medium",
  findings: "schlossgarten-elements-and-figures",
  champion: "schlossgarten.champion",
} satisfies GameCard<Word>;
