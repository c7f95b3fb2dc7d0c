// What the page says it is, as the title of the document.

class Title {
  /** What the address says. */
  page = $state("bosquet");
  /** What the page that is drawn says instead, for as long as it is drawn. */
  own = $state<string>();

  get words(): string {
    return this.own ?? this.page;
  }
}

export const title = new Title();
