import { afterEach, expect, test, vi } from "vitest";
import page from "../games/generic";
import { drawAhead } from "./drawAhead";
import { setTable } from "./kept";

const Board = vi.fn();
vi.mock("../games/folders", () => ({ loadGamePage: () => Promise.resolve({ ...page, Board }) }));

const VIEW = { seat: 0, viewer: 0, over: false, moves: [], scores: null };
const TURN = { seat: 0, over: false, plies: 0, canUndo: false, outcome: null };

afterEach(() => vi.unstubAllGlobals());

test("a table is drawn ahead, and nothing stays of it", async () => {
  vi.stubGlobal("reportError", vi.fn()); // no words are loaded
  const begun = vi.spyOn(globalThis, "setInterval");
  const ended = vi.spyOn(globalThis, "clearInterval");
  const words = document.title;
  const table = setTable({ game: "any", options: {}, seats: [{ name: "Ada" }, { bot: "level1" }], first: 0 } as never);

  await drawAhead(table, { turn: TURN as never, view: JSON.stringify(VIEW) });

  expect(Board).toHaveBeenCalledOnce();
  expect(document.title).toBe(words);
  expect(document.body.textContent).toBe("");
  expect(begun).toHaveBeenCalled();
  const ids = begun.mock.results.map(({ value }) => value as unknown);
  expect(ended.mock.calls.flat()).toEqual(expect.arrayContaining(ids));
});
