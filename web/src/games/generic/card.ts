// What the start page shows of a game that brings no card.

import type { GameCard } from "../../core/game";
import Picture from "./Picture.svelte";

export default { Picture } satisfies GameCard;
