import { flushSync, mount, unmount } from "svelte";
import { expect, test, vi } from "vitest";
import OpenRecord from "./OpenRecord.svelte";

vi.mock("../../shell/words.svelte", () => ({
  t: (key: string) => key,
  translate: (key: string) => key,
  knows: () => false,
}));

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

test("of a file with several games one is chosen", async () => {
  const onopen = vi.fn();
  const page = mount(OpenRecord, { target: document.body, props: { onopen } });
  const lines = ["Ann", "Bea"].map((name) =>
    JSON.stringify({ game: "lights", options: { players: 1 }, players: [name] }),
  );
  const dropped = { dataTransfer: { files: [new File([lines.join("\n")], "games.jsonl")] } };
  document.querySelector("section")!.dispatchEvent(Object.assign(new Event("drop"), dropped));
  const games = () => (flushSync(), [...document.querySelectorAll<HTMLButtonElement>("li button")]);
  await vi.waitUntil(() => games().length === 2);
  expect(onopen).not.toHaveBeenCalled();
  expect(document.activeElement?.textContent).toBe("replay.several");
  expect(games()[1]!.textContent).toContain("Bea");
  games()[1]!.click();
  expect(onopen.mock.calls).toMatchObject([[{ players: ["Bea"] }]]);
  void unmount(page);
});
