// What is searched for among the finished games, as the address of the page says it, and where the visitor left the list.

export const EMPTY = { game: "", opponent: "", bot: "", outcome: "", from: "", to: "" };
export type Search = typeof EMPTY;

/** The list as it was left for one of its games. */
export interface Left {
  /** The address with what was searched for. */
  list: string;
  /** How many games it showed. */
  shown: number;
  /** The table whose game was opened. */
  table: string;
}

let left: Left | undefined;

/** Read what an address searches for; parameters that are unknown here are left out. */
export function searchIn(address: string): Search {
  const given = new URLSearchParams(address);
  const read = Object.keys(EMPTY).map((key) => [key, given.get(key) ?? ""]);
  return Object.fromEntries(read) as Search;
}

/** The address of a search, without what is not asked for. */
export function addressOf(search: Search): string {
  const asked = Object.entries(search).filter(([, value]) => value);
  return asked.length ? `?${new URLSearchParams(asked).toString()}` : "";
}

export function leave(list: Left): void {
  left = list;
}

/** Where the list was left, for who comes back to the same search. */
export function cameBack(list: string): Left | undefined {
  return left?.list === list ? left : undefined;
}
