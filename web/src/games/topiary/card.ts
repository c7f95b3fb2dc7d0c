// What the start page shows of the game.

import type { GameCard } from "../../core/game";
import Picture from "./Picture.svelte";
import type { Word } from "./words";

export default {
  Picture,
  about: "topiary.about",
  minutes: 10,
  weight: "easy",
  findings: "topiary-sculptures",
  champion: "topiary.champion",
  value: (option, value) => (option === "removed" && value !== "drawn" ? (`topiary.type_${value}` as Word) : undefined),
} satisfies GameCard<Word>;
