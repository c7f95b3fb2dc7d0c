// How a game ended other than by its rules, in words.

import type { Ending, TableState } from "../client/messages";
import { language, t } from "../shell/words.svelte";

/** A sentence; the names are those of the people, also of those who left their seat to a bot. */
export function earlyWords({ how, resigned }: Ending, people: readonly string[]): string {
  const names = new Intl.ListFormat(language()).format(resigned.map((seat) => people[seat] ?? ""));
  return t(`rights.ended_${how}`, { names, n: resigned.length });
}

/** How the game of a table ended: also that those who have resigned were out of time, or the reader is the one. */
export function endedWords(news: TableState, ending: Ending, names: readonly string[]): string {
  const people = peopleAt(news, names);
  if (ending.how !== "resigned") return earlyWords(ending, people);
  const late = ending.resigned.length > 0 && ending.resigned.every((seat) => news.times?.left[seat] === 0);
  const you = news.mine.length === 1 && `${ending.resigned}` === `${news.mine}`;
  if (you) return t(late ? "rights.you_time" : "rights.you_resigned");
  if (!late) return earlyWords(ending, people);
  const called = ending.resigned.map((seat) => people[seat] ?? "");
  return t("rights.ended_time", { names: new Intl.ListFormat(language()).format(called) });
}

/** Who sat on each seat before a bot took it over for good. */
function peopleAt({ seats }: TableState, names: readonly string[]): string[] {
  return seats.map(({ left, name }, seat) => (left && name) || (names[seat] ?? ""));
}
