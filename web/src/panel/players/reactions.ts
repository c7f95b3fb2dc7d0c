// The reactions that players can send each other; a message has one as its `sign`.

import type { React, Reacted } from "../../client/messages";
import { type Key, t } from "../../shell/words.svelte";

export type Reaction = React["sign"];
export const REACTIONS: readonly Reaction[] = ["hello", "well played", "thinking", "oops", "thanks"];

export function reactionWords(sign: Reacted["sign"]): string {
  return t(`table.sign_${sign.replace(" ", "_")}` as Key);
}
