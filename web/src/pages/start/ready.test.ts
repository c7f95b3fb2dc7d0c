import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { prepareEngine } from "../../core/engines";
import { loadGamePage } from "../../games/folders";
import { drawAhead } from "./drawAhead";
import { route } from "../../shell/route.svelte";
import { need } from "../../shell/words.svelte";
import { prepareHere } from "./ready";
import { newTable } from "./setting/setting";

vi.mock("../../core/engines", () => ({ prepareEngine: vi.fn() }));
vi.mock("../../games/folders", () => ({ loadGamePage: vi.fn() }));
vi.mock("./drawAhead", () => ({ drawAhead: vi.fn() }));
vi.mock("../../shell/words.svelte", () => ({ need: vi.fn() }));
vi.mock("./setting/setting", () => ({ newTable: vi.fn(), settingFor: vi.fn() }));
vi.mock("../Here.svelte", () => ({ default: vi.fn() }));

/** What is called when the page is idle. */
let idle: (() => void)[];
const whenIdle = vi.fn((then: () => void, _options?: IdleRequestOptions) => idle.push(then));

beforeEach(() => {
  idle = [];
  vi.stubGlobal("scrollTo", vi.fn());
  vi.stubGlobal("requestIdleCallback", whenIdle);
  vi.mocked(prepareEngine).mockResolvedValue({ turn: {}, view: "{}" } as never);
  vi.mocked(newTable).mockReturnValue({ game: "any", options: {}, seats: [{ name: "Ada" }] } as never);
  vi.mocked(loadGamePage).mockResolvedValue({} as never);
  vi.mocked(need).mockResolvedValue();
  vi.mocked(drawAhead).mockReset().mockResolvedValue();
});
afterEach(() => {
  vi.unstubAllGlobals();
  route.replace("/");
});

/** Make a game ready, and be idle. */
async function prepared(game: string): Promise<void> {
  await prepareHere(game);
  for (const then of idle.splice(0)) then();
}

test("a table of a game is drawn once, however often the start page is shown", async () => {
  await Promise.all([prepareHere("often"), prepareHere("often")]);
  await prepared("often");
  await prepared("often");
  expect(drawAhead).toHaveBeenCalledOnce();
});

test("a page that is never idle draws none", async () => {
  await prepareHere("busy");
  expect(whenIdle).toHaveBeenCalled();
  expect(whenIdle.mock.lastCall?.[1]?.timeout).toBeUndefined();
  expect(drawAhead).not.toHaveBeenCalled();
});

test("where the start page is left before it is idle, none is drawn until it is shown again", async () => {
  await prepareHere("left");
  route.go("/rules");
  await prepared("left");
  expect(drawAhead).not.toHaveBeenCalled();
  route.go("/");
  await prepared("left");
  expect(drawAhead).toHaveBeenCalledOnce();
});

test("none is drawn where the reader saves data, but the engine is made ready", async () => {
  vi.stubGlobal("navigator", { connection: { saveData: true } });
  vi.mocked(prepareEngine).mockClear();
  await prepared("saved");
  expect(prepareEngine).toHaveBeenCalledOnce();
  expect(drawAhead).not.toHaveBeenCalled();
});

test.each([
  ["the words", () => vi.mocked(need).mockRejectedValue(new Error("away"))],
  ["the game's page", () => vi.mocked(loadGamePage).mockRejectedValue(new Error("away"))],
])("none is drawn without %s", async (what, fail) => {
  fail();
  await prepared(what);
  expect(drawAhead).not.toHaveBeenCalled();
});
