// Where the page is: the path of its address, without a load of the whole page from one to the next. An address that was
// changed on its way here is put right before any page reads it.

import { at, within } from "./base";
import { addressOf, readLink } from "./link";
import { noteScroll } from "./scroll";

/** Pages of one game, which may have been opened from a list of games. */
const OF_A_GAME = /^\/(replay|coach)\b/;
const TABLE = /^\/(here|table|screen)\//;

function here(): string {
  const link = readLink(within(location));
  const address = at(addressOf(link));
  if (address !== location.pathname + location.search + location.hash) history.replaceState(history.state, "", address);
  return link.path;
}

class Route {
  path = $state(here());
  /** The address of the list from which the game was opened that is looked at: the way back to it. */
  list = $state<string>();

  constructor() {
    for (const moved of ["popstate", "hashchange"]) addEventListener(moved, () => this.#moved());
    addEventListener("pagehide", noteScroll);
  }

  /** Whether it leads to a table, whose page may still be loading. */
  get isAtTable(): boolean {
    return TABLE.test(this.path);
  }

  /** Go somewhere within the page. */
  go(path: string): void {
    noteScroll();
    history.pushState(null, "", at(path));
    this.#arrive();
  }

  /** Go there in place of this page, to which the way back would lead here again. */
  replace(path: string): void {
    history.replaceState(null, "", at(path));
    this.#arrive();
  }

  #arrive(): void {
    this.#moved();
    scrollTo(0, 0);
  }

  #moved(): void {
    this.path = here();
    if (!OF_A_GAME.test(this.path)) this.list = undefined;
  }
}

export const route = new Route();

/** For links: `<a href="/replay" onclick={follow}>`. Lets the browser open new tabs and other sites as ever. */
export function follow(event: MouseEvent): void {
  const link = (event.currentTarget as HTMLElement).closest("a");
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  route.go(within(new URL(link.href)));
}
