// The handful of signs that players can give each other.

import type { React, Reacted } from "../../client/messages";
import { type Key, t } from "../../shell/words.svelte";

export type Sign = React["sign"];
export const SIGNS: readonly Sign[] = ["hello", "well played", "thinking", "oops", "thanks"];

export function signWords(sign: Reacted["sign"]): string {
  return t(`table.sign_${sign.replace(" ", "_")}` as Key);
}
