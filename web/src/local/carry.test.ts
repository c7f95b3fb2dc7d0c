import { beforeEach, expect, test } from "vitest";
import type { NewTable } from "../client/messages";
import { device, found, tables } from "../shell/store";
import { answers, dayBefore, keepAnswers } from "./puzzleAnswers";
import { CarryError, takeIn, written } from "./carry";
import { saveTable, savedTables, newDuel, recordOf, setTable } from "./savedTables";
import type { SavedTable } from "./reading";

beforeEach(async () => {
  device.clear();
  await tables.clear();
});

function tableOf(changes: Partial<SavedTable> = {}): SavedTable {
  const seats = [
    { kind: "me" as const, name: "Ann" },
    { kind: "bot" as const, name: "Clover", bot: "level2" },
  ];
  const set = setTable({ game: "lights" as NewTable["game"], options: { players: 2 }, seats, first: 0 });
  return { ...set, begun: true, journal: [{ type: "move", move: "a" }], ...changes };
}

test("what one device has written, another takes in, and nothing twice", async () => {
  const table = tableOf({ record: { game: "lights" } });
  await saveTable(table);
  await saveTable(tableOf());
  const file = await written();
  await tables.clear();
  expect(await takeIn(new Blob([file]))).toBe(2);
  expect(await recordOf(table.id)).toEqual({ game: "lights" });
  expect(await takeIn(new Blob([file]))).toBe(0);
  expect(await savedTables()).toHaveLength(2);
});

test("answers to puzzles are taken along, and none is replaced", async () => {
  const answer = { game: "lights", day: "2026-11-02", grade: "easy", solved: true, on_day: true } as const;
  keepAnswers([answer]);
  const file = await written();
  device.clear();
  keepAnswers([{ ...answer, solved: false }]);
  const other = { ...answer, day: "2026-11-03" };
  await takeIn(new Blob([JSON.stringify({ ...JSON.parse(file), answers: [answer, other] })]));
  expect(answers()).toEqual([{ ...answer, solved: false }, other]);
  const wrong = JSON.stringify({ ...JSON.parse(file), answers: [answer, { ...answer, day: "today" }] });
  await expect(takeIn(new Blob([wrong]))).rejects.toThrow("answers[1]");
});

test("a file with many answers, of days to come and of one puzzle among them, costs none that is here", async () => {
  const answer = { game: "lights", day: "2001-11-02", grade: "easy", solved: true, on_day: true } as const;
  keepAnswers([answer]);
  const many = (last: string) => Array.from({ length: 6000 }, (_, n) => ({ ...answer, day: dayBefore(last, n) }));
  const past = many("2020-11-20");
  const all = [...many("9999-12-31"), ...past, ...past.map(() => past[0]!)];
  const file = { format: "bosquet-device/1", tables: [], answers: all };
  await takeIn(new Blob([JSON.stringify(file)]));
  const days = answers().map(({ day }) => day);
  expect(new Set(days).size).toBe(5000);
  expect(days).toContain(answer.day);
  expect(days.at(-1)).toBe("2020-11-20");
});

test("what the coach found in a game is forgotten with the game that another one replaces", async () => {
  const table = tableOf({ changed: "2026-01-01T00:00:00Z", record: { game: "lights" } });
  await saveTable({ ...table, changed: "2026-01-02T00:00:00Z" });
  const file = await written();
  await saveTable(table);
  await found.set({ id: table.id });
  await takeIn(new Blob([file]));
  expect(await found.read(table.id)).toBeUndefined();
  expect(await recordOf(table.id)).toEqual({ game: "lights" });
});

test("a table that has gone on here is not set back", async () => {
  const table = tableOf({ changed: "2026-01-01T00:00:00Z" });
  await saveTable(table);
  const file = await written();
  await saveTable({ ...table, journal: [], changed: "2026-01-02T00:00:00Z" });
  expect(await takeIn(new Blob([file]))).toBe(0);
  expect(await savedTables()).toMatchObject([{ journal: [] }]);
});

const WRONG: [string, object][] = [
  ["form", { form: 9 }],
  ["id", { id: "a/b" }],
  ["game", { game: "//elsewhere" }],
  ["options", { options: { players: {} } }],
  ["assistance", { assistance: "all" }],
  ["pace", { pace: 1 }],
  ["hints", { hints: "yes" }],
  ["secret", { secret: "" }],
  ["begun", { begun: null }],
  ["changed", { changed: "yesterday" }],
  ["record", { record: [] }],
  ["seats", { seats: [] }],
  [
    "seats[1]",
    {
      seats: [
        { name: "Ann", bot: null },
        { name: {}, bot: null },
      ],
    },
  ],
  ["box", { box: [] }],
  ["open", { open: 0 }],
  ["duel", { duel: {} }],
  ["duel", { duel: { ...newDuel(2), games: 3 } }],
  ["duel", { duel: { ...newDuel(2), open: {} } }],
  ["duel", { duel: { ...newDuel(2), results: [[1, 2]], tables: ["0".repeat(16)] } }],
  ["duel", { duel: { ...newDuel(2), resigned: [2] } }],
  ["journal", { journal: "a" }],
  ["journal[1]", { journal: [{ type: "undo" }, { type: "resign", seat: 2 }] }],
  ["journal[0]", { journal: [{ type: "end", how: "won" }] }],
  ["journal[0]", { journal: [null] }],
];

test.each(WRONG)("of a file with a wrong %s nothing is taken, and the place is named", async (place, change) => {
  const file = JSON.stringify({ format: "bosquet-device/1", tables: [tableOf(), { ...tableOf(), ...change }] });
  await expect(takeIn(new Blob([file]))).rejects.toEqual(new CarryError(`tables[1].${place}`));
  expect(await savedTables()).toEqual([]);
});

test.each(["", "{", "null", "[]", '{"format": "bosquet/1"}', '{"format": "bosquet-device/1", "tables": {}}'])(
  "%j is no such file",
  async (file) => {
    await expect(takeIn(new Blob([file]))).rejects.toThrow(CarryError);
  },
);

test.each(["record", "more"])("of a file that is nested too deeply in %j nothing is taken", async (part) => {
  const deep = JSON.stringify({ ...tableOf(), [part]: { a: "deep" } }).replace(
    '"deep"',
    "[".repeat(1e5) + "]".repeat(1e5),
  );
  const file = `{"format": "bosquet-device/1", "tables": [${JSON.stringify(tableOf())}, ${deep}]}`;
  await expect(takeIn(new Blob([file]))).rejects.toEqual(new CarryError("tables[1].table"));
  expect(await savedTables()).toEqual([]);
});

test("a file that is too long is not read", async () => {
  const file = {
    size: 50_000_001,
    arrayBuffer: () => Promise.reject(new Error("there is no memory")),
  } as unknown as Blob;
  await expect(takeIn(file)).rejects.toEqual(new CarryError(undefined));
});
