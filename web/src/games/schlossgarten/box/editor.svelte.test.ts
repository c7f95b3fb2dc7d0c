// What is done before the engine is there, and what happens where it or the storage fails.

import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Client } from "../../../engine/client";
import { EngineError } from "../../../engine/errors";
import { device } from "../../../shell/store";
import { need } from "../../../shell/words.svelte";
import { type Draft, draftOf, emptyDraft, keptOf } from "./draft";
import { Editor } from "./editor.svelte";

const KEPT = "bosquet.box.schlossgarten";
const HOUSE = { tiles: [17, 16, 16] };
const OTHER = { tiles: [20, 20, 9] };

beforeAll(() => need("file"));

let arrive: (engine: Client) => void;
let fail: (error: Error) => void;
vi.mock("../../../core/engines", () => ({
  openEngine: () => new Promise((resolve, reject) => ([arrive, fail] = [resolve, reject])),
}));

/** An engine that answers what a test lays down. */
function engine(inspect: (content: unknown) => unknown = () => ({ problems: [], twins: [] })): Client {
  const ask = (name: string, given: { content: unknown } | null) =>
    Promise.resolve().then(() => (name === "houseBox" ? HOUSE : inspect(given!.content)));
  return { ask, close: () => {} } as unknown as Client;
}

function fileWith(content: unknown): File {
  return new File([typeof content === "string" ? content : JSON.stringify(content)], "mine.json");
}

function told(draft: Draft): StorageEvent {
  return { key: KEPT, newValue: keptOf(draft) } as StorageEvent;
}

async function opened(inspect?: (content: unknown) => unknown): Promise<Editor> {
  const editor = new Editor();
  const opening = editor.open();
  arrive(engine(inspect));
  await opening;
  return editor;
}

beforeEach(() => device.clear());
afterEach(() => vi.unstubAllGlobals());

test("the box of the house comes with the engine, and undoing nothing keeps nothing", async () => {
  const editor = new Editor();
  const opening = editor.open();
  expect([editor.ready, editor.hasHouse]).toEqual([false, false]);
  editor.undo();
  editor.redo();
  editor.replace("house");
  expect(localStorage.getItem(KEPT)).toBeNull();
  arrive(engine());
  await opening;
  expect([editor.ready, editor.hasHouse, editor.isSaved, editor.canUndo]).toEqual([true, true, true, false]);
  expect(editor.draft).toEqual(draftOf(HOUSE));
});

test("what another tab draws meanwhile is not replaced by the box of the house", async () => {
  const editor = new Editor();
  const opening = editor.open();
  editor.follow(told(draftOf(OTHER)));
  arrive(engine());
  await opening;
  expect([editor.draft, editor.canUndo]).toEqual([draftOf(OTHER), false]);
});

test("what is kept is drawn on at once, and what is saved meanwhile stays saved", async () => {
  localStorage.setItem(KEPT, keptOf(draftOf(OTHER)));
  const editor = new Editor();
  const opening = editor.open();
  expect([editor.ready, editor.isSaved]).toEqual([true, false]);
  editor.change({ note: "mine" });
  editor.replace("house");
  expect(editor.draft).toEqual({ ...draftOf(OTHER), note: "mine" });
  editor.save();
  arrive(engine());
  await opening;
  expect([editor.draft.note, editor.canUndo, editor.isSaved]).toEqual(["mine", true, true]);
});

test("without an engine an empty box is drawn, unchecked", async () => {
  const editor = new Editor();
  const opening = editor.open();
  fail(new EngineError("unavailable", "no network"));
  await opening;
  expect([editor.unchecked, editor.hasHouse, editor.draft]).toEqual([true, false, emptyDraft()]);
});

test("it is said where the browser does not keep what is drawn", async () => {
  const editor = await opened();
  editor.change({ note: "a" });
  expect(editor.kept).toBe(true);
  vi.stubGlobal("localStorage", undefined);
  editor.change({ note: "b" });
  expect(editor.kept).toBe(false);
});

test("a file that can't be read is none, and an engine that ends leaves what could be read", async () => {
  let ended: Error | undefined;
  const editor = await opened(() => {
    if (ended) throw ended;
    return { problems: [], twins: [] };
  });
  const unread = Object.assign(fileWith(OTHER), { arrayBuffer: () => Promise.reject(new Error("it is gone")) });
  expect(await editor.read(unread)).toContain("Choose it again");
  expect(await editor.read(new File([`{\n"name": 1,\n}`], "box.json"))).toContain(
    "Line 2, column 10: a comma before }",
  );
  ended = new RangeError("nested too deeply");
  expect(await editor.read(fileWith(OTHER))).toBe("");
  expect(editor.draft).toEqual(draftOf(HOUSE));
  ended = new EngineError("failed", "the worker ended");
  expect(await editor.read(fileWith(OTHER))).toBeUndefined();
  expect([editor.draft, editor.unchecked, editor.isRight]).toEqual([draftOf(OTHER), true, false]);
});

test("cards are the same only as long as none of the two is drawn on", async () => {
  let answer = (): unknown => ({ problems: [], twins: [{ card: 7, other: 3, quarters: 1 }] });
  const editor = await opened(() => answer());
  expect(editor.cards[2]!.twins).toEqual([{ other: 7, quarters: 3 }]);
  answer = () => new Promise(() => {});
  const { cards } = editor.draft;
  editor.change({ cards: cards.with(0, [1, 2, 3]) });
  expect(editor.cards[6]!.twins).toEqual([{ other: 3, quarters: 1 }]);
  editor.change({ cards: cards.with(2, [1, 2, 3]) });
  expect([editor.cards[2]!.twins, editor.cards[6]!.twins]).toEqual([[], []]);
});
