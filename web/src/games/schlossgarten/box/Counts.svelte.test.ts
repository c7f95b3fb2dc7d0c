import { flushSync, mount, unmount } from "svelte";
import { beforeEach, expect, test, vi } from "vitest";
import Counts from "./Counts.svelte";
import { Editor } from "./editor.svelte";

vi.mock("../words", () => ({ t: (key: string) => key }));
beforeEach(() => localStorage.clear());

test.each([
  ["499", "49", 49],
  ["-3", "0", 0],
  ["2.5", "2", 2],
  ["12", "12", 12],
  ["", "", null],
])("%j is shown as %j", (typed, shown, counted) => {
  const editor = new Editor();
  editor.change({ tiles: [counted, null, null] });
  const page = mount(Counts, { target: document.body, props: { editor } });
  flushSync();
  const input = document.querySelector("input")!;
  input.value = typed;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  flushSync();
  expect([input.value, editor.draft.tiles[0]]).toEqual([shown, counted]);
  void unmount(page);
});
