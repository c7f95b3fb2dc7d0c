// Where the page is: the path of its address, without a load of the whole page from one to the next.

/** Pages of one game, which may have been opened from a list of games. */
const OF_A_GAME = /^\/(replay|coach)\b/;

class Route {
  path = $state(location.pathname);
  /** The address of the list from which the game was opened that is looked at: the way back to it. */
  list = $state<string>();

  constructor() {
    addEventListener("popstate", () => this.#moved());
  }

  /** Go somewhere within the page. */
  go(path: string): void {
    history.pushState(null, "", path);
    this.#moved();
    scrollTo(0, 0);
  }

  #moved(): void {
    this.path = location.pathname;
    if (!OF_A_GAME.test(this.path)) this.list = undefined;
  }
}

export const route = new Route();

/** For links: `<a href="/replay" onclick={follow}>`. Lets the browser open new tabs and other sites as ever. */
export function follow(event: MouseEvent): void {
  const link = (event.currentTarget as HTMLElement).closest("a");
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const { pathname, search, hash } = new URL(link.href);
  route.go(pathname + search + hash);
}
