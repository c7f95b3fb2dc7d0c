// The folder of the host that the page lies in: `/`, or as `/games/` beside other things. Within the page an address
// begins with `/`, as if it had a host of its own; here it becomes one of the host, and one of the host becomes that.
// A host of files only has one for each page (`server/host/site.py`), not for each table, game or day: there, their names
// stand in the query.

import { hasServer } from "./site";

/** The files of the page are in `assets/` below it. */
export const base = import.meta.env.DEV ? "/" : new URL(/* @vite-ignore */ "..", import.meta.url).pathname;

/** `/here/GAME/3fa?teach`: the page, and what it shows. */
const OF_ONE = /^(\/here\/[^/?#]+|\/(?:coach|puzzles|replay|today))\/([^?#]+)(\?)?/;
/** `/here/GAME/?at=3fa&teach`, with the slash that hosts would add to the name of a folder. */
const IN_QUERY = /^([^?#]*?)\/*\?at=([^&#]*)(&)?/;

/** The address at the host of one within the page. Others (`#chapter`, another site) stay. */
export function at(address: string): string {
  if (!address.startsWith("/")) return address;
  return base + (hasServer ? address : inQuery(address)).slice(1);
}

/** The same with the host, for links that are handed on; `host` where people reach it by another address. */
export function linkTo(address: string, host = location.origin): string {
  return host + at(address);
}

/** The address within the page of one of the host, without its name: a location, or where a link leads. */
export function within({ pathname, search, hash }: Pick<URL, "pathname" | "search" | "hash">): string {
  const path = pathname.startsWith(base) ? `/${pathname.slice(base.length)}` : pathname;
  const address = path + search + hash;
  return hasServer ? address : inPath(address);
}

/** The address of a page that has a file, with the name of what it shows in the query. */
export function inQuery(address: string): string {
  return address.replace(
    OF_ONE,
    (_, page: string, one: string, more?: string) => `${page}/?at=${one}${more ? "&" : ""}`,
  );
}

/** The opposite of `inQuery`. */
export function inPath(address: string): string {
  return address.replace(IN_QUERY, (_, page: string, one: string, more?: string) => `${page}/${one}${more ? "?" : ""}`);
}
