import { mount, unmount } from "svelte";
import { expect, test, vi } from "vitest";
import { areKept, keepEngine } from "../../shell/worker";
import { speak } from "../../shell/words.svelte";
import KeepGames from "./KeepGames.svelte";

vi.mock("../../core/catalogue", () => ({
  allGames: () => [{ name: "any", engine: "/engines/any" }],
  titleOf: (name: string) => name,
}));
vi.mock("../../shell/worker", () => ({ areKept: vi.fn(), hasWorkers: () => true, keepEngine: vi.fn() }));

test.each([true, false])("a box that can't be changed goes on to show whether the game is kept: %s", async (kept) => {
  await speak("en");
  vi.mocked(areKept).mockResolvedValue(kept);
  vi.mocked(keepEngine).mockRejectedValue(new TypeError("Failed to fetch"));
  const page = mount(KeepGames, { target: document.body });
  const box = document.querySelector("input")!;
  await vi.waitFor(() => expect(box.checked).toBe(kept));
  box.click();
  await vi.waitFor(() => expect(document.querySelector("[role=alert]")?.textContent).toContain("could not be kept"));
  await vi.waitFor(() => expect(box.checked).toBe(kept));
  expect(keepEngine).toHaveBeenCalledWith(["/engines/any"], !kept);
  void unmount(page);
});
