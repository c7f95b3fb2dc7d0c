// Whether somebody else sits at a table to whom the visitor can write: a person, also one for whom a bot stands in.

import type { TableState } from "../client/messages";

export function talksTo(news: TableState): boolean {
  return (
    news.mine.length > 0 &&
    news.seats.some(
      ({ name, kind, stands_in }, seat) =>
        name !== null && (kind === "human" || stands_in) && !news.mine.includes(seat),
    )
  );
}
