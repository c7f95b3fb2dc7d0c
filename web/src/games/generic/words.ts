// The words of the page with those of the generic board.

import { type In, type Key, translate, type Values } from "../../shell/words.svelte";
import type words from "./words.json";

export type Word = Key | In<"generic", typeof words>;
export const t: (key: Word, values?: Values) => string = translate;
