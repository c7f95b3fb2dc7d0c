import { mount, unmount } from "svelte";
import { expect, test, vi } from "vitest";
import type { TableState } from "../client/messages";
import { need } from "../shell/words.svelte";
import ShownSoon from "./ShownSoon.svelte";

vi.mock("../core/catalogue", () => ({ titleOf: () => "Any game" }));

test("who watches is told who plays, and that it is seen later", async () => {
  await need("table");
  const seats = [{ name: "Ann" }, { name: "Bea" }];
  const page = mount(ShownSoon, {
    target: document.body,
    props: { news: { game: "any", seats } as unknown as TableState, delay: 10 },
  });
  expect(document.querySelector("h1")?.textContent).toBe("Any game");
  expect(document.body.textContent).toContain("Ann and Bea");
  expect(document.querySelector("[role=status]")?.textContent).toBe("You see it 10 seconds later.");
  void unmount(page);
});
