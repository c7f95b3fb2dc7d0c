// The three games: how many can sit down, who designed them, their variants.

import type { TableNews } from "./messages";

export type GameName = TableNews["game"];
export const GAMES: readonly GameName[] = ["topiary", "topas", "schlossgarten"];

export const SEATS: Record<GameName, { least: number; most: number }> = {
  topiary: { least: 2, most: 4 },
  topas: { least: 1, most: 4 },
  schlossgarten: { least: 2, most: 4 },
};

export function isGame(name: string): name is GameName {
  return (GAMES as readonly string[]).includes(name);
}

export const DESIGNERS: Record<GameName, string> = {
  topiary: "Danny Devine",
  topas: "Reiner Knizia",
  schlossgarten: "Ulf Siebert",
};

/** The option that makes a variant of a game, where it has one. */
export const VARIANTS = { topiary: "draft", topas: "expert", schlossgarten: undefined } as const;
