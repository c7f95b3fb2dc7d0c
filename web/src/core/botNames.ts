// What players are called on the page: bots of a level have a name in each language, and are told apart by numbers.

import type { Seat } from "../client/messages";
import { isLevel, levelName } from "./levels";

/** The names of seats, given what they were called and which bot plays there, if one does. */
export function namesOf(called: readonly string[], bots: readonly (string | null)[]): string[] {
  return called.map((name, seat) => {
    const bot = bots[seat];
    if (!bot || !isLevel(bot)) return name;
    const twins = bots.slice(0, seat).filter((other) => other === bot).length;
    return twins ? `${levelName(bot)} ${twins + 1}` : levelName(bot);
  });
}

/** The same for the seats of a table. A bot that stands in plays under the name of somebody. */
export function namesAt(seats: readonly Seat[]): string[] {
  return namesOf(
    seats.map(({ name }, number) => name ?? String(number + 1)),
    seats.map(({ bot, stands_in }) => (stands_in ? null : bot)),
  );
}
