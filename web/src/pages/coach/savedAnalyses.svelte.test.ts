import { beforeEach, expect, test, vi } from "vitest";
import { loadGames } from "../../core/catalogue";
import { deleteTable } from "../../local/savedTables";
import { clock } from "../../shell/clock.svelte";
import { found } from "../../shell/store";
import { analysis, savedAnalysis, saveAnalysis } from "./savedAnalyses.svelte";

/** Be a server whose engine of one game has an address. */
async function serve(engine: string): Promise<void> {
  const game = { name: "lights", title: "Lights", players: [2], options: {}, pace: 0, engine };
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => Response.json([game])),
  );
  await loadGames();
}

const RECORD = { game: "lights", moves: ["a"] };
const PARTS = { coach: { decisions: [] } };

beforeEach(async () => {
  await found.clear();
  await serve("/engines/lights?1");
});

test("a file that is nested too deeply to be kept is held all the same", () => {
  const file = { more: JSON.parse("[".repeat(100_000) + "]".repeat(100_000)) as unknown };
  analysis.open(file);
  expect(analysis.file).toBe(file);
});

test("what was found in a game is there again, and not in another one", async () => {
  await saveAnalysis(RECORD, undefined, PARTS);
  expect(await savedAnalysis({ ...RECORD }, undefined)).toEqual(PARTS);
  expect(await savedAnalysis({ ...RECORD, moves: ["b"] }, undefined)).toEqual({});
  expect(await savedAnalysis(RECORD, "table")).toEqual({});
});

test("what another engine found is dropped", async () => {
  await saveAnalysis(RECORD, "table", PARTS);
  await serve("/engines/lights?2");
  expect(await savedAnalysis(RECORD, "table")).toEqual({});
  expect(await found.all()).toEqual([]);
});

test("what was found goes with the game", async () => {
  await saveAnalysis(RECORD, "table", PARTS);
  await deleteTable("table");
  expect(await savedAnalysis(RECORD, "table")).toEqual({});
});

test("the games that were looked at last are kept", async () => {
  let time = 0;
  vi.spyOn(clock, "now").mockImplementation(() => (time += 1));
  for (let i = 0; i < 53; i += 1) await saveAnalysis(RECORD, `t${i}`, PARTS);
  expect(await found.all()).toHaveLength(50);
  expect(await savedAnalysis(RECORD, "t2")).toEqual({});
  expect(await savedAnalysis(RECORD, "t3")).toEqual(PARTS);
});

test.each([null, {}, { by: "/engines/lights?1", at: 1 }])("%j is nothing that was found", async (kept) => {
  await found.set({ id: "table", ...kept });
  expect(await savedAnalysis(RECORD, "table")).toEqual({});
});
