import { onMount, tick } from "svelte";
import { afterEach, expect, test, vi } from "vitest";
import page from "../../games/generic";
import { drawAhead } from "./drawAhead";
import { title } from "../../shell/title.svelte";
import { setTable } from "../../local/savedTables";

const Board = vi.fn();
vi.mock("../../games/folders", () => ({ loadGamePage: () => Promise.resolve({ ...page, Board }) }));

const VIEW = { seat: 0, viewer: 0, over: false, moves: [], scores: null };
type Listening = AddEventListenerOptions | undefined;
const TURN = { seat: 0, over: false, plies: 0, canUndo: false, outcome: null };

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const FAULT = new Error("no board");
const fail = () => {
  throw FAULT;
};

test.each([
  ["is drawn ahead", () => undefined, undefined],
  ["can't be drawn", fail, FAULT],
  ["fails once it is drawn", () => onMount(fail), FAULT],
])("a table %s, and nothing stays of it", async (_, board, thrown) => {
  vi.stubGlobal("reportError", vi.fn()); // no words are loaded
  const begun = vi.spyOn(globalThis, "setInterval");
  const ended = vi.spyOn(globalThis, "clearInterval");
  const listening = [window, document].map((target) => vi.spyOn(target, "addEventListener"));
  Board.mockReset().mockImplementation(board);
  const table = setTable({ game: "any", options: {}, seats: [{ name: "Ada" }, { bot: "level1" }], first: 0 } as never);

  const failed = await drawAhead(table, { turn: TURN as never, view: JSON.stringify(VIEW) }).catch(
    (error: unknown) => error,
  );
  await tick();

  expect(failed).toBe(thrown);
  expect(Board).toHaveBeenCalledOnce();
  expect(title.own).toBeUndefined();
  const signals = listening.flatMap(({ mock }) =>
    mock.calls.flatMap(([, , options]) => (options as Listening)?.signal ?? []),
  );
  expect(signals).not.toEqual([]);
  expect(signals.filter(({ aborted }) => !aborted)).toEqual([]);
  expect(begun).toHaveBeenCalled();
  const ids = begun.mock.results.map(({ value }) => value as unknown);
  expect(ended.mock.calls.flat()).toEqual(expect.arrayContaining(ids));
});
