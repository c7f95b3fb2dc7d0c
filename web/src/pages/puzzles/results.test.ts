import { beforeEach, expect, test, vi } from "vitest";
import type { CatalogueEntry } from "../../client/catalogueEntry";
import { keepAnswers } from "../../local/puzzleAnswers";
import { device } from "../../shell/store";
import { answered, exchange, today } from "./results";

const told = vi.hoisted(() => [] as string[]);
const stock = (name: string) => (name === "lights" ? ({ name, puzzles: {} } as CatalogueEntry) : undefined);
vi.mock("../../core/catalogue", () => ({ entryOf: (name: string) => stock(name) }));
vi.mock("../../client/api", () => ({
  puzzleAnswers: () => Promise.resolve({ answers: [] }),
  tellAnswer: ({ game, day }: { game: string; day: string }) => {
    if (!stock(game) || day > today()) return Promise.reject(new Error("not found"));
    told.push(`${game}/${day}`);
    return Promise.resolve({ tries: 1, solved: 1 });
  },
}));

beforeEach(() => device.clear());

test("answers that a server can't take keep no other answer from it", async () => {
  const other = { grade: "easy", solved: true, on_day: true } as const;
  keepAnswers([
    { ...other, game: "elsewhere", day: today() },
    { ...other, game: "lights", day: "9999-12-31" },
  ]);
  answered({ game: "lights", day: today(), grade: "easy" }, true);
  await exchange();
  expect(told).toEqual([`lights/${today()}`]);
});
