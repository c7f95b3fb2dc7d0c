// What the frame of the page knows about the page in it: the game of the table where one sits.

class Current {
  game = $state<string>();
}

export const current = new Current();
