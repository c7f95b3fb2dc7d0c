import { beforeAll, describe, expect, test } from "vitest";
import type { GamePage } from "../core/game";
import type { Decided } from "../core/sheets.testing";
import type { Sheet } from "../client/messages";
import { need } from "../shell/words.svelte";
import { endingWords } from "./ending";

const NAMES = ["Ann", "Bert", "Cleo"];
const CASES = import.meta.glob<Record<string, Decided>>("../games/*/causes.testing.ts", {
  import: "default",
  eager: true,
});
const SHEETS = import.meta.glob<GamePage["sheet"]>("../games/*/sheet.ts", { import: "default", eager: true });
const GAMES = Object.entries(CASES).map(([path, cases]) => [path.split("/")[2]!, cases] as const);

beforeAll(() => need("table", ...GAMES.map(([game]) => game)));

test("every game has such sheets", () => expect(GAMES).toHaveLength(Object.keys(SHEETS).length));

describe.each(GAMES)("what decided a game of %s", (game, cases) => {
  test.each(Object.entries(cases))("%s", (_, { entries, mine = [0], seats = 2, words }) => {
    const scores = Array.from({ length: seats }, () => 0);
    for (const { seat, points } of entries) scores[seat] = (scores[seat] ?? 0) + points;
    const most = Math.max(...scores);
    const winners = scores.flatMap((score, seat) => (score === most ? [seat] : []));
    const sheet: Sheet = { game, entries, scores, winners, columns: [] };
    expect(endingWords({ sheet: SHEETS[`../games/${game}/sheet.ts`] } as GamePage, sheet, NAMES, mine)).toMatch(words);
  });
});
