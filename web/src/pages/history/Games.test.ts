import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { playedGames } from "../../client/api";
import { need, speak } from "../../shell/words.svelte";
import Games from "./Games.svelte";

vi.mock("../../client/api", () => ({ playedGames: vi.fn() }));

const shown: Record<string, unknown>[] = [];

beforeEach(async () => {
  vi.mocked(playedGames).mockResolvedValue({ games: [], next: null });
  await speak("en");
  await need("history");
});
afterEach(async () => {
  for (const one of shown.splice(0)) await unmount(one);
  history.replaceState(null, "", "/");
});

/** Show the list of somebody with some games, at an address. */
function showList(games: number, address: string): void {
  history.replaceState(null, "", address);
  const summary = { games, totals: [], levels: [], outcomes: {}, opponents: [] } as never;
  shown.push(mount(Games, { target: document.body, props: { summary } }));
  flushSync();
}

const form = () => document.querySelector("form");

test("the form is there with many games, or with a search", () => {
  showList(9, "/history");
  expect(form()).toBeNull();
  showList(10, "/history");
  expect(form()).not.toBeNull();
});

test("a form that is cleared stays, and has the focus", () => {
  showList(1, "/history?opponent=Ada");
  const clear = form()?.querySelector("button");
  clear?.focus();
  clear?.click();
  flushSync();
  expect(form()?.querySelector("input")?.value).toBe("");
  expect(form()?.contains(document.activeElement)).toBe(true);
});
