import { flushSync, mount, unmount } from "svelte";
import { afterEach, expect, test, vi } from "vitest";
import Header from "./Header.svelte";
import MissingPart from "./MissingPart.svelte";
import { parts } from "./parts.svelte";
import { choose, speak } from "./words.svelte";

vi.mock(import("./words.svelte"), async (original) => ({ ...(await original()), choose: vi.fn() }));
vi.mock(import("./site"), async (original) => ({ ...(await original()), needsServer: () => () => false }));
afterEach(() => (parts.missing = false));

test.each([
  [false, "The server does not answer", ["Close"]],
  [true, "A part of this page could not be loaded", ["Load the page again", "Close"]],
])("a language that can't be had, with a network %s, leaves the one that is spoken", async (onLine, said, ways) => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(onLine);
  await speak("en");
  vi.mocked(choose).mockRejectedValue(new TypeError("Failed to fetch"));
  const pages = [mount(Header, { target: document.body, props: { rules: undefined } })];
  pages.push(mount(MissingPart, { target: document.body }));
  flushSync();
  const select = document.querySelector("select")!;
  select.value = "de";
  select.dispatchEvent(new Event("change", { bubbles: true }));
  await vi.waitFor(() => expect(select.value).toBe("en"));
  expect(choose).toHaveBeenCalledWith("de");
  expect(document.querySelector("[role=alert]")?.textContent).toContain(said);
  expect([...document.querySelectorAll(".missing button")].map((way) => way.textContent)).toEqual(ways);
  for (const page of pages) void unmount(page);
});
