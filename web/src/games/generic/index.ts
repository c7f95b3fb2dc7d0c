// A game that the page does not know: a plain board made of its view and its moves, all in the server's words.

import type { GamePage } from "../../core/game";
import type { View } from "../../client/messages";
import Board from "./Board.svelte";
import Held from "./Held.svelte";
import type { GenericView } from "./view";

export default {
  Board,
  Held,
  log: { words: () => undefined, beginsTurn: () => false },
  sheet: { entry: ({ kind, name }) => `${kind} ${name}`.trim(), part: ({ kind, name }) => `${kind} ${name}`.trim() },
  guide: { tips: () => [] },
  showsAllHints: true,
  showsBothChoices: true,
} satisfies GamePage<GenericView & View>;
