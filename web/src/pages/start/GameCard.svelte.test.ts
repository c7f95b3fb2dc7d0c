import { flushSync, mount, unmount } from "svelte";
import { afterEach, expect, test, vi } from "vitest";
import { isAway } from "../../core/catalogue";
import { areKept } from "../../shell/worker";
import { speak } from "../../shell/words.svelte";
import GameCard from "./GameCard.svelte";

vi.mock("../../core/catalogue", () => ({
  allGames: () => [],
  designerOf: () => undefined,
  isAway: vi.fn(() => true),
  entryOf: (game: string) => ({ engine: game === "foreign" ? null : "/engines/any" }),
  seatsOf: () => ({ least: 2, most: 4 }),
  titleOf: (name: string) => name,
}));
vi.mock("../../games/cards", () => ({ cardOf: () => ({ Picture: () => undefined }) }));
vi.mock("../../shell/worker", () => ({ areKept: vi.fn() }));
afterEach(() => document.body.replaceChildren());

/** Show the card of a game; return its ways to begin, and what is said of them. */
async function shown(game: string): Promise<[HTMLButtonElement[], () => string | null | undefined]> {
  await speak("en");
  const ways = { onplay: vi.fn(), onlearn: vi.fn(), onset: vi.fn(), onready: undefined };
  const page = mount(GameCard, {
    target: document.body,
    props: { game, lead: true, busy: false, problem: "", ...ways },
  });
  flushSync();
  leave = () => void unmount(page);
  return [[...document.querySelectorAll("button")], () => document.querySelector(`#against-${game}`)?.textContent];
}
let leave: () => void;

test.each([
  ["any", false],
  ["foreign", true],
])("without a network %s can't be begun where it is not kept, until the network is back", async (game, kept) => {
  const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  vi.mocked(areKept).mockResolvedValue(kept);
  const [ways, said] = await shown(game);
  await vi.waitFor(() => expect(ways.map(({ disabled }) => disabled)).toEqual([true, true, true]));
  expect(said()).toContain("What plays the game could not be loaded");
  onLine.mockReturnValue(true);
  dispatchEvent(new Event("online"));
  await vi.waitFor(() => expect(ways.map(({ disabled }) => disabled)).toEqual([false, false, false]));
  expect(said()).not.toContain("could not be loaded");
  leave();
});

test.each([
  ["that is kept", () => vi.mocked(areKept).mockResolvedValue(true)],
  ["at a server of this device", () => vi.mocked(isAway).mockReturnValue(false)],
  [
    "that the browser may have",
    () => vi.mocked(areKept).mockRejectedValue(new ReferenceError("caches is not defined")),
  ],
])("without a network a game %s can be begun", async (_, prepare) => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  vi.mocked(areKept).mockResolvedValue(false);
  prepare();
  const [ways] = await shown("any");
  await new Promise((done) => setTimeout(done));
  expect(ways.map(({ disabled }) => disabled)).toEqual([false, false, false]);
  leave();
});
