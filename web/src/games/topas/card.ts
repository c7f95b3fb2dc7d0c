// What the start page shows of the game.

import type { GameCard } from "../../core/game";
import Picture from "./Picture.svelte";
import type { Word } from "./words";

export default {
  Picture,
  about: "topas.about",
  minutes: 5,
  weight: "easy",
  findings: "topas-rows-not-gems",
  champion: "topas.champion",
} satisfies GameCard<Word>;
