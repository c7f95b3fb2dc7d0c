// The words of the page with those of this game.

import { type In, type Key, translate, type Values } from "../../shell/words.svelte";
import type words from "./words.json";

export type Word = Key | In<"topas", typeof words>;
export const t: (key: Word, values?: Values) => string = translate;
