import { beforeAll, expect, test } from "vitest";
import type { DailyGame } from "../../client/messages";
import { need, speak } from "../../shell/words.svelte";
import { sharedOf, textOf } from "./share";

beforeAll(async () => {
  await need("today");
  await speak("en");
});

function game(value: number | null, ranked = true): DailyGame {
  const bots = ["random", "greedy", "level3"].map((bot, i) => ({
    bot,
    value: 10 * i - 10,
    points: 30 + 10 * i,
    against: 40,
  }));
  const points = value === null ? null : value + 40;
  return {
    game: "one" as string as DailyGame["game"],
    options: { players: 2 },
    seat: 1,
    opponent: "level3",
    opening: { options: { players: 2 } } as unknown as DailyGame["opening"],
    commitment: "c".repeat(64),
    secret: null,
    players: 12,
    attempt: { table: "thetable", result: { value, points, against: value === null ? null : 40, ranked } },
    outcome: { scores: [], rank: ranked ? 3 : null, bots, bots_due: false },
  };
}

test("the text says how it went, and nothing of the deal or the table", () => {
  const text = textOf(sharedOf(game(5), "2026-11-23", 4));
  expect(text.split("\n").slice(1)).toEqual([
    "45 to 40: won by 5",
    "Place 3 of 12",
    "Ahead of 2 of 3 bots",
    "Streak: 4 days",
    "●●○",
    `${location.origin}/today/2026-11-23`,
  ]);
  expect(text).not.toContain("thetable");
  expect(text).not.toContain("cccc");
});

test("what was given up, or played late, has no place", () => {
  expect(sharedOf(game(null, false), "2026-11-23", 1)).toMatchObject({ lines: ["Given up"], marks: [] });
  expect(sharedOf(game(-3, false), "2026-11-23", 0).lines).toEqual([
    "37 to 40: lost by 3",
    "Played late, not ranked",
    "Ahead of 1 of 3 bots",
  ]);
});
