import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { GamePage } from "../../core/game";
import type { Decision } from "../../client/messages";
import { need, speak } from "../../shell/words.svelte";
import Decisions from "./Decisions.svelte";
import Losses from "./Losses.svelte";

const game = { log: { words: () => "Tile" } } as unknown as GamePage;
const names = ["Ann", "Ben"];
const shown: Record<string, unknown>[] = [];

beforeEach(async () => {
  await speak("en");
  await need("coach", "table");
});
afterEach(async () => {
  for (const one of shown.splice(0)) await unmount(one);
});

function decision(ply: number, loss: number, chance: number, loss_points: number): Decision {
  const choices = ["a", "b"].map((say) => ({
    moves: [say],
    data: [{ say }],
    wins: [chance, 1 - chance],
    points: [0, 0],
  }));
  return { ply, seat: 0, made: choices[1], best: choices, loss, loss_points, hindsight: 0, reason: null } as never;
}

/** The texts of the cells of a row. */
function cells(row: number): (string | undefined)[] {
  return [...document.querySelectorAll("tbody tr")[row]!.children].map(({ textContent }) => textContent?.trim());
}

test("points that were given away in a decided game are not as good as the best", () => {
  const decisions = [
    decision(0, 0, 0.5, 3),
    decision(1, 0, 0, 13),
    decision(2, 0.05, 0.5, 3),
    decision(3, 0.4, 0.5, 9),
  ];
  shown.push(mount(Losses, { target: document.body, props: { decisions, lost: [0.45, 0], names } }));
  flushSync();
  expect(cells(0).slice(1)).toEqual(["4", "1", "2", "1"]);
});

test("in the table a better choice with the same words is elsewhere", () => {
  const decisions = [decision(0, 0.34, 0.5, 9), decision(1, 0, 0.5, 0)];
  shown.push(mount(Decisions, { target: document.body, props: { decisions, names, game, origin: undefined } }));
  flushSync();
  expect(cells(0).slice(2, 4)).toEqual(["Tile", "Tile, at another place"]);
  expect(cells(1).slice(2, 4)).toEqual(["Tile", "–"]);
});
