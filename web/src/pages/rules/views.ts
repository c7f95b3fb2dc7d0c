// The positions that the chapters of a game show: views of real games, as the server gave them.

import type { GameName } from "../../lib/games";
import type { View } from "../../lib/messages";

export type Views = Record<string, View>;

/** Who played the games that are shown. */
export const PLAYERS = ["Rosa", "Florian"];

const FILES: Record<GameName, () => Promise<{ default: unknown }>> = {
  topiary: () => import("./topiary.json"),
  topas: () => import("./topas.json"),
  schlossgarten: () => import("./schlossgarten.json"),
};

export async function viewsOf(game: GameName): Promise<Views> {
  return (await FILES[game]()).default as Views;
}
