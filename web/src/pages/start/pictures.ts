// The picture of each game.

import type { Component } from "svelte";
import Schlossgarten from "../../boards/schlossgarten/Picture.svelte";
import Topas from "../../boards/topas/Picture.svelte";
import Topiary from "../../boards/topiary/Picture.svelte";
import type { GameName } from "../../lib/games";

export const PICTURES: Record<GameName, Component> = { topiary: Topiary, topas: Topas, schlossgarten: Schlossgarten };
