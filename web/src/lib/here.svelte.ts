// What the frame of the page knows about the page in it: the game of the table where one sits.

import type { GameName } from "./games";

class Here {
  game = $state<GameName>();
}

export const here = new Here();
