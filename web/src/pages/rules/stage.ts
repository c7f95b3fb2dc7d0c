// A game's board and the positions that its chapters show, loaded together.

import type { Component } from "svelte";
import type { BoardProps } from "../../lib/board";
import type { GameName } from "../../lib/games";
import type { View } from "../../lib/messages";

export interface Stage {
  board: Component<BoardProps<View>>;
  views: Record<string, View>;
}

/** Who played the games that are shown. */
export const PLAYERS = ["Rosa", "Florian"];

const boards = import.meta.glob<{ default: Component<BoardProps<View>> }>("../../boards/*.svelte");
const VIEWS: Record<GameName, () => Promise<{ default: unknown }>> = {
  topiary: () => import("./topiary.json"),
  topas: () => import("./topas.json"),
  schlossgarten: () => import("./schlossgarten.json"),
};
const FILE: Record<GameName, string> = { topiary: "Topiary", topas: "Topas", schlossgarten: "Schlossgarten" };

export async function stage(game: GameName): Promise<Stage> {
  const [board, views] = await Promise.all([boards[`../../boards/${FILE[game]}.svelte`]!(), VIEWS[game]()]);
  return { board: board.default, views: views.default as Record<string, View> };
}
