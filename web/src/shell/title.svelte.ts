// The title of the document: what the page says it is, with the number of slow tables that wait for the visitor.

import { turnsWaiting } from "../server/turnsWaiting.svelte";

class Title {
  /** What the address says. */
  page = $state("bosquet");
  /** What the page that is drawn says instead, for as long as it is drawn. */
  own = $state<string>();

  get whole(): string {
    const words = this.own ?? this.page;
    return turnsWaiting.count ? `(${turnsWaiting.count}) ${words}` : words;
  }
}

export const title = new Title();
