// A box that is drawn: what is read of files, what is written, and what pressing a cell does.

import { expect, test } from "vitest";
import {
  chosenAt,
  contentOf,
  type Draft,
  draftOf,
  emptyDraft,
  type Figure,
  fileOf,
  frameOf,
  isIn,
  keptOf,
  nameOf,
  PLAYERS,
  pressed,
  rowsOf,
  turned,
} from "./draft";

/** Numbers from 0 to below `most`, the same ones each time. */
function chance(seed: number): (most: number) => number {
  let state = seed;
  return (most) => (state = (state * 48271) % 2147483647) % most;
}

/** A draft in which anything may stand anywhere, or nowhere. */
function someDraft(seed: number): Draft {
  const draw = chance(seed);
  const somewhere = (count: number, room: number, gaps: number) => {
    const found: (number | null)[] = [];
    while (found.length < count) {
      const place = draw(room);
      if (draw(10) < gaps) found.push(null);
      else if (!found.includes(place)) found.push(place);
    }
    return found;
  };
  return {
    note: draw(2) ? 'The "first" edition,\nfound in an attic' : "",
    cards: Array.from({ length: 32 }, () => somewhere(3, 25, 2)),
    tiles: [draw(50), draw(2) ? draw(50) : null, draw(50)],
    starts: { 2: somewhere(6, 49, 1), 3: somewhere(9, 49, 10), 4: somewhere(12, 49, 0) },
  };
}

const SEEDS = Array.from({ length: 40 }, (_, i) => i + 1);

test.each(SEEDS)("what is kept is the draft again (%i)", (seed) => {
  const draft = someDraft(seed);
  expect(draftOf(JSON.parse(keptOf(draft)))).toEqual(draft);
});

test.each(SEEDS)("a file that is opened and saved says the same (%i)", (seed) => {
  const file = fileOf(someDraft(seed));
  const again = draftOf(JSON.parse(file));
  expect(fileOf(again)).toBe(file);
  expect(JSON.parse(file)).toEqual(contentOf(again));
});

test("an empty draft is an empty file, and parts that are not begun are left out", () => {
  expect(contentOf(emptyDraft())).toEqual({});
  expect(JSON.parse(fileOf(emptyDraft()))).toEqual({});
  const starts = { ...emptyDraft().starts, 3: emptyDraft().starts[3].with(0, 0) };
  const nobody = [null, null, null];
  expect(contentOf({ ...emptyDraft(), starts })).toEqual({ starts: { 3: [["a7", null, null], nobody, nobody] } });
});

test.each([
  [undefined],
  [null],
  [[1, 2]],
  ["box"],
  [{ cards: 3, tiles: "x", starts: [1], note: { a: 1 } }],
  [{ cards: [null, { id: "1", rows: 5 }, { id: 99, rows: [1, "KGAKGAK", ""] }], tiles: [-1, 50, 1.5] }],
  [
    {
      starts: {
        2: [
          ["a8", "h1", "a0"],
          ["A1", 5, null],
        ],
        3: "x",
      },
    },
  ],
])("from what is no box nothing is taken: %j", (given) => {
  const draft = draftOf(given);
  expect(draft.tiles).toEqual([null, null, null]);
  expect(draft.cards).toHaveLength(32);
  expect(PLAYERS.map((n) => draft.starts[n].filter((place) => place !== null))).toEqual([[], [], []]);
});

test("a file with errors is read as far as it goes", () => {
  const draft = draftOf({
    cards: [
      { id: 2, rows: ["K.G", "..A"] },
      { id: 2, rows: ["KGA"] },
      { id: 5, rows: ["KG", "K."] },
      { rows: ["A", "G", "K"] },
    ],
    starts: { 2: [["a1", "a1", "b1"]] },
  });
  expect(rowsOf(draft.cards[1]!)).toEqual(["...", "K.G", "..A"]);
  // Without a number of its own a card takes the first one that is free.
  expect(rowsOf(draft.cards[0]!)).toEqual(["...", "...", "KGA"]);
  expect(rowsOf(draft.cards[2]!)).toEqual(["A..", "G..", "K.."]);
  expect(rowsOf(draft.cards[4]!)).toEqual(["...", "...", "KG."]);
  expect(draft.starts[2].map((place) => place !== null && nameOf(place))).toEqual([
    "a1",
    false,
    "b1",
    false,
    false,
    false,
  ]);
});

test("a frame is the smallest square from three rows on that holds a figure", () => {
  expect(frameOf([null, null, null])).toEqual({ west: 1, north: 1, size: 3 });
  expect(frameOf([0, 6, 24])).toEqual({ west: 0, north: 0, size: 5 });
  expect(frameOf([20, 22, 23])).toEqual({ west: 0, north: 1, size: 4 });
  // Beside the grid there is nothing.
  expect(frameOf([4, 9, null])).toEqual({ west: 4, north: -1, size: 3 });
  expect(rowsOf([4, 9, null])).toEqual(["...", "K..", "G.."]);
  expect([2, 3, 4, 12, 14, 1, 17].map((place) => isIn(frameOf([4, 9, null]), place))).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(rowsOf([12, 7, 13])).toEqual(["...", "G..", "KA."]);
});

test("a card that is turned four times is as before", () => {
  const figure: Figure = [0, 7, null];
  expect(turned(figure)).toEqual([4, 13, null]);
  expect([1, 2, 3, 4].reduce((one) => turned(one) as typeof one, figure)).toEqual(figure);
});

test("pressing puts what is chosen and goes on to the next that is missing; pressing again takes it up", () => {
  const first = pressed([null, null, null], 0, 12);
  expect(first).toEqual({ places: [12, null, null], chosen: 1 });
  const second = pressed(first.places, 2, 13);
  expect(second).toEqual({ places: [12, null, 13], chosen: 1 });
  expect(pressed(second.places, 1, 12)).toEqual({ places: [null, null, 13], chosen: 0 });
  // All are put: the one that was chosen moves.
  expect(pressed([1, 2, 3], 1, 9)).toEqual({ places: [1, 9, 3], chosen: 1 });
});

test("what is missing first is put next, until something else is chosen for the places as they are", () => {
  const [begun] = draftOf({ cards: [{ id: 1, rows: ["K"] }] }).cards;
  expect(chosenAt(begun!)).toBe(1);
  expect(chosenAt(begun!, { places: begun!, chosen: 2 })).toBe(2);
  const next = pressed(begun!, 2, 0);
  expect(chosenAt(next.places, next)).toBe(1);
  // Undone, nothing is chosen; nor is it for another card that is empty, too.
  expect(chosenAt(begun!, next)).toBe(1);
  const [one, other] = emptyDraft().cards;
  expect(chosenAt(other!, { places: one!, chosen: 2 })).toBe(0);
  expect(chosenAt([3, 4, 5])).toBe(0);
});
