import { createRawSnippet, flushSync, mount, unmount } from "svelte";
import { beforeEach, expect, test, vi } from "vitest";
import { EngineError, type Reason } from "../engine/errors";
import { need, speak } from "../shell/words.svelte";
import type { LiveSheet } from "./liveSheet.svelte";
import Frame from "./Frame.svelte";
import { newPlayers } from "./players";

vi.mock("../core/catalogue", () => ({ seatsOf: () => ({ least: 1 }), titleOf: (name: string) => name }));
beforeEach(() => Promise.all([speak("de"), need("score", "table")]));

/** What the page says of a game that could not be counted. */
function said(reason: Reason, message: string): Element {
  const liveSheet = { problem: new EngineError(reason, message), again: vi.fn() } as unknown as LiveSheet;
  const children = createRawSnippet(() => ({ render: () => "<p></p>" }));
  const entered = $state(newPlayers());
  const props = { game: "any", games: [], spec: {} as never, hint: "", entered, onfresh: vi.fn(), liveSheet, children };
  const page = mount(Frame, { target: document.body, props });
  flushSync();
  const found = document.querySelector(".problem")!;
  void unmount(page);
  return found;
}

test.each(["unavailable", "module", "failed"] as const)(
  "of an engine that is %s the page says so, and not what the browser says",
  (reason) => {
    const problem = said(reason, "Failed to fetch");
    expect(problem.textContent).toContain("Was das Spiel spielt, ließ sich nicht laden.");
    expect(problem.textContent).not.toContain("Failed to fetch");
    expect(problem.querySelector("[lang=en]")).toBeNull();
    expect(problem.querySelector("button")?.textContent).toBe("Noch einmal");
    expect(problem.getAttribute("role")).toBe("alert");
  },
);

test("what is still wrong in a game that is being entered is said quietly", () => {
  const problem = said("record", "tiles kept: 0");
  expect(problem.querySelector("[lang=en]")?.textContent).toBe("tiles kept: 0");
  expect([problem.getAttribute("role"), problem.querySelector("button")]).toEqual(["status", null]);
});
