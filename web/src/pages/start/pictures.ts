import type { Component } from "svelte";
import type { GameName } from "../../lib/games";
const found = import.meta.glob<{ default: Component }>("../../boards/*/Picture.svelte", { eager: true });
import Stand from "./Stand.svelte";
const of = (game: GameName) => found[`../../boards/${game}/Picture.svelte`]?.default ?? Stand;
export const PICTURES: Record<GameName, Component> = { topiary: of("topiary"), topas: of("topas"), schlossgarten: of("schlossgarten") };
