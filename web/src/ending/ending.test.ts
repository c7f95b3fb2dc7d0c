import { beforeAll, expect, test, vi } from "vitest";
import type { GamePage } from "../core/game";
import type { Ending, Entry, Sheet, TableState } from "../client/messages";
import { need } from "../shell/words.svelte";
import { ScoreReveal } from "./scoreReveal.svelte";
import { countingOrder, endingWords } from "./ending";
import { endedWords } from "./endedEarly";
import { verdict } from "./verdict";

const GAME = {
  sheet: {
    causes: {
      of: ({ name, points }: Entry) => ({ [name]: points }),
      words: (cause: string, n: number, who: string | null) => `${who ?? "your"} ${cause} brought ${n} more`,
    },
  },
} as unknown as GamePage;
const NAMES = ["Ann", "Bert"];

function line(seat: number, name: string, points: number): Entry {
  return {
    seat,
    name,
    points,
    kind: "any",
    cells: [name],
    parts: [],
    combine: "sum",
    piece: null,
    cell: null,
    heading: null,
  };
}

function sheet(scores: number[], winners: number[], entries: Entry[] = []): Sheet {
  return { game: "any", entries, scores, winners, columns: [] };
}

const words = (scores: number[], winners: number[], mine: number[], entries: Entry[] = []) =>
  endingWords(GAME, sheet(scores, winners, entries), NAMES, mine);

beforeAll(() => need("rights", "table"));

test("lines are counted in turn, and end in the points", () => {
  const entries = [line(0, "a", 3), line(0, "b", 4), line(0, "c", 1), line(1, "d", 5)];
  const counted = countingOrder(sheet([8, 5], [0], entries));
  expect(counted.map(({ entry }) => entry.name)).toEqual(["a", "d", "b", "c"]);
  expect(counted.map(({ totals }) => totals)).toEqual([
    [3, 0],
    [3, 5],
    [7, 5],
    [8, 5],
  ]);
});

test("the sentence says by how much, and what decided it", () => {
  const entries = [line(0, "a", 3), line(0, "b", 4), line(1, "a", 12), line(1, "b", 1), line(1, "c", -3)];
  expect(words([7, 10], [1], [0], entries)).toBe("You lost by 3 points; Bert a brought 9 more.");
  expect(words([7, 10], [1], [1], entries)).toBe("You won by 3 points; your a brought 9 more.");
  expect(words([11, 10], [0], [0])).toBe("You won by 1 point.");
  expect(words([7, 10], [1], [], entries)).toBe("Bert won by 3 points; Bert a brought 9 more.");
  expect(words([7, 10], [1], [0, 1], entries)).toBe("Bert won by 3 points; Bert a brought 9 more.");
});

test("what strangers read speaks to nobody", () => {
  const alone = {
    sheet: { verdict: (_: Sheet, name: string | null) => `${name ?? "your"} lowest` },
  } as unknown as GamePage;
  expect(verdict(alone, sheet([7], []), ["Ann"], null)).toBe("Ann lowest");
  expect(verdict(alone, sheet([7], []), ["Ann"], null, { yours: true })).toBe("your lowest");
});

test.each([
  [[0], 9, "You have resigned"],
  [[0], 0, "You ran out of time"],
  [[1], 9, "Ann has resigned"],
  [[1], 0, "Ann ran out of time"],
  [[0, 1], 9, "Ann has resigned"], // at one screen
  [[], 0, "Ann ran out of time"],
])("who is at %j, with %i seconds left for Ann, reads %j", (mine, left, said) => {
  const seats = NAMES.map((name) => ({ name, left: null }));
  const news = { mine, seats, times: { left: [left, 9] } } as unknown as TableState;
  expect(endedWords(news, { how: "resigned", resigned: [0] } as unknown as Ending, NAMES)).toBe(said);
});

test("ties, and who wins by something else than points", () => {
  expect(words([10, 10], [0], [0])).toBe("You won the tie.");
  expect(words([10, 10], [0], [1])).toBe("You lost the tie.");
  expect(words([10, 10], [0, 1], [1])).toBe("You share the win.");
  expect(words([10, 10], [0, 1], [])).toBe("");
  expect(words([7, 10], [0], [0])).toBe("");
  expect(words([7, 10], [0], [1])).toBe("");
  expect(words([7], [0], [0])).toBe("");
});

test("the score is counted line by line, and one press ends it", () => {
  vi.useFakeTimers();
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  const reveal = new ScoreReveal();
  const all = sheet([3, 5], [1], [line(0, "a", 3), line(1, "b", 5)]);
  reveal.start(all);
  expect(reveal.line?.totals).toEqual([3, 0]);
  expect(reveal.open).toBe(true);
  vi.advanceTimersByTime(700);
  expect(reveal.line?.totals).toEqual([3, 5]);
  expect([reveal.running, reveal.open]).toEqual([true, false]); // who won can be said
  vi.advanceTimersByTime(1000);
  expect(reveal.running).toBe(false);
  reveal.start(all);
  reveal.stop();
  vi.advanceTimersByTime(5000);
  expect(reveal.running).toBe(false);
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  reveal.start(all);
  expect(reveal.running).toBe(false);
  vi.useRealTimers();
});
