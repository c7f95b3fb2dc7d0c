import { flushSync, mount, unmount } from "svelte";
import { expect, test, vi } from "vitest";
import OpenRecord from "./OpenRecord.svelte";

vi.mock("../../shell/words.svelte", () => ({ t: (key: string) => key }));

test.each([
  ["a record", '{"game": "lights", "more": [[[]]]}', true],
  ["a list", "[]", false],
  ["a file that is nested too deeply to be sent to a worker", `{"more": ${"[".repeat(1e5)}${"]".repeat(1e5)}}`, false],
])("%s is opened, or it is said that it is none", async (_, text, opens) => {
  const onopen = vi.fn();
  const page = mount(OpenRecord, { target: document.body, props: { onopen } });
  const dropped = Object.assign(new Event("drop"), { dataTransfer: { files: [new File([text], "game.json")] } });
  document.querySelector("section")!.dispatchEvent(dropped);
  const said = () => (flushSync(), document.body.textContent.includes("replay.not_json"));
  await vi.waitUntil(() => onopen.mock.calls.length > 0 || said());
  expect([onopen.mock.calls.length > 0, said()]).toEqual([opens, !opens]);
  void unmount(page);
});
