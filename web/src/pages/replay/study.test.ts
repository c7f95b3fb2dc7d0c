// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadGames } from "../../core/catalogue";
import { EngineError } from "../../engine/errors";
import { openEngine } from "../../core/engines";
import { FOREIGN, GAMES, serveEngines } from "../../engine/testing";
import { replay } from "../../client/api";
import { played } from "./played.testing";
import { Study } from "./study";

vi.mock(import("../../client/api"), async (original) => ({ ...(await original()), replay: vi.fn() }));
vi.mock("../../shell/words.svelte", () => ({ t: (key: string, about?: object) => key + JSON.stringify(about ?? "") }));
vi.mock(import("../../core/engines"), { spy: true });
const [GAME] = GAMES as [string];

let study: Study;
beforeEach(async () => {
  serveEngines();
  await loadGames();
  study = new Study();
});
afterEach(() => {
  study.close();
  vi.unstubAllGlobals();
});

test.each(GAMES)("%s is replayed by its engine, for everybody and for one", async (game) => {
  const record = await played(game);
  const given = { ...record, players: ["Ada", "  "], bots: [null, "level1"] };
  const all = await study.replay(given, "all");
  expect(all).toMatchObject({ game, bots: [null, "level1"], ending: null });
  expect(all.names[0]).toBe("Ada");
  expect(all.names[1]).toBe(`replay.player{"n":2}`);
  expect(all.frames).toHaveLength((record["moves"] as string[]).length + 1);
  expect(all.frames.map(({ say }) => say)).toEqual([null, ...(record["moves"] as string[])]);
  expect(all.frames.at(-1)!.view).toMatchObject({ over: true, winners: all.sheet.winners });
  expect(all.frames.every(({ hands }) => hands?.length === 2)).toBe(true);
  const one = await study.replay(given, 1);
  expect(one.frames.every(({ view, hands, revealed }) => view.viewer === 1 && !hands && !revealed)).toBe(true);
  expect((await study.replay(given, "spectator")).frames[0]!.view.viewer).toBeNull();
  expect(vi.mocked(openEngine)).toHaveBeenCalledTimes(1);
  expect(vi.mocked(replay)).not.toHaveBeenCalled();
});

test("what is no record is refused with its place", async () => {
  const record = await played(GAME, 3);
  const refused = (wrong: object) => study.replay({ ...record, ...wrong }, "all").catch((error: unknown) => error);
  expect(await refused({ moves: [...(record["moves"] as string[]), "nonsense"] })).toMatchObject({
    code: "malformed",
    message: expect.stringContaining('ply 3: "nonsense"'),
  });
  expect(await refused({ deal: 3 })).toMatchObject({ code: "malformed", message: expect.stringContaining("deal") });
  const nested: unknown = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
  expect(await refused({ more: nested })).toMatchObject({ code: "malformed" });
  expect((await study.replay(record, "all")).frames).toHaveLength(4);
});

test("a game without an engine is replayed by the server, another one never", async () => {
  const answer = { game: FOREIGN } as never;
  vi.mocked(replay).mockResolvedValue(answer);
  const foreign = { game: FOREIGN };
  expect(await study.replay(foreign, 0)).toBe(answer);
  expect(vi.mocked(replay)).toHaveBeenLastCalledWith({ record: foreign, viewpoint: 0 });
  vi.mocked(openEngine).mockRejectedValueOnce(new EngineError("unavailable", "gone"));
  await expect(study.replay({ game: GAME }, "all")).rejects.toMatchObject({
    code: "unavailable",
    message: `common.no_engine""`,
  });
  expect(vi.mocked(replay)).toHaveBeenCalledTimes(1);
});
