import { flushSync, mount, unmount } from "svelte";
import { expect, test } from "vitest";
import Said from "./Said.svelte";

test("what is said again is a new element, for only what changes is spoken", () => {
  const props = $state({ text: "Your turn", time: 1 });
  const said = mount(Said, { target: document.body, props });
  flushSync();
  const first = document.querySelector("[role=status] span");
  expect(first?.textContent).toBe("Your turn");
  props.time = 2;
  flushSync();
  const again = document.querySelector("[role=status] span");
  expect(again?.textContent).toBe("Your turn");
  expect(again).not.toBe(first);
  void unmount(said);
});
