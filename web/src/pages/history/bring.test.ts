import { beforeEach, expect, test, vi } from "vitest";
import { setTable } from "../../local/savedTables";
import type { SavedTable } from "../../local/reading";
import { ApiError, bringGame, whichBrought } from "../../client/api";
import type { NewTable } from "../../client/messages";
import { bring, broughtOf, canBeBrought } from "./bring";

vi.mock("../../client/api", async (original) => ({
  ...(await original<typeof import("../../client/api")>()),
  bringGame: vi.fn(),
  whichBrought: vi.fn(),
}));

vi.mock("../../client/refusal", () => ({
  refusalOf(error: unknown): string {
    if (!(error instanceof ApiError)) throw error;
    return error.message;
  },
}));

beforeEach(() => {
  vi.mocked(bringGame).mockReset().mockResolvedValue({ table: "there" });
  vi.mocked(whichBrought)
    .mockReset()
    .mockImplementation(async ({ games }) => ({ games: games.filter((deal) => deal.endsWith("1")) }));
});

function finished(number: number, record?: SavedTable["record"]): SavedTable {
  const seats = [{ kind: "me" as const, name: "Ann" }];
  const set = setTable({ game: "lights" as NewTable["game"], options: { players: 1 }, seats, first: 0 });
  const fair = { commitment: number.toString(16).padStart(64, "0") };
  return { ...set, begun: true, changed: "2026-11-02T10:00:00.000Z", record: record ?? { game: "lights", fair } };
}

test("games are known by their deals, and asked about in pieces", async () => {
  const tables = Array.from({ length: 501 }, (_, number) => finished(number));
  const there = await broughtOf(tables);
  expect(vi.mocked(whichBrought).mock.calls.map(([{ games }]) => games.length)).toEqual([500, 1]);
  expect(there.has(tables[1]!.id)).toBe(true);
  expect(there.has(tables[2]!.id)).toBe(false);
});

test("a game without a proof, or that goes on, is not brought", async () => {
  const records = [{}, { fair: null }, { fair: { commitment: 7 } }, { fair: { commitment: "0x" } }];
  const tables = [...records.map((record) => finished(1, record)), { ...finished(1), record: null }];
  expect(tables.filter(canBeBrought)).toEqual([]);
  expect(await broughtOf(tables)).toEqual(new Set());
  expect(whichBrought).not.toHaveBeenCalled();
});

test("games are brought one after the other, and one that is refused holds up none", async () => {
  const tables = [finished(1), finished(2), finished(3)];
  vi.mocked(bringGame).mockRejectedValueOnce(new ApiError("malformed", "moves"));
  const kept: string[] = [];
  expect(await bring(tables, (id) => kept.push(id))).toEqual({ refused: 1, problem: "" });
  expect(kept).toEqual([tables[1]!.id, tables[2]!.id]);
  const [asked] = vi.mocked(bringGame).mock.calls[0]!;
  expect(asked).toEqual({ record: tables[0]!.record, ended: tables[0]!.changed, assistance: tables[0]!.assistance });
});

test("where none can come now, the others wait for another press", async () => {
  const tables = [finished(1), finished(2), finished(3)];
  vi.mocked(bringGame).mockResolvedValueOnce({ table: "there" }).mockRejectedValueOnce(new ApiError("busy", "wait"));
  const kept: string[] = [];
  const { refused, problem } = await bring(tables, (id) => kept.push(id));
  expect([refused, problem, kept]).toEqual([0, "wait", [tables[0]!.id]]);
  expect(bringGame).toHaveBeenCalledTimes(2);
  vi.mocked(bringGame).mockRejectedValueOnce(new TypeError("a mistake of ours"));
  await expect(bring(tables, () => undefined)).rejects.toThrow(TypeError);
});
