import { beforeEach, expect, test } from "vitest";
import { namesAt, namesOf } from "./botNames";
import type { Seat } from "../client/messages";
import { speak } from "../shell/words.svelte";

beforeEach(() => speak("de"));

function chair(name: string | null, bot: string | null = null, stands_in = false): Seat {
  const state = {
    ready: true,
    here: true,
    gone: false,
    hints: false,
    agrees: null,
    left: null,
    chat: false,
    away: null,
  };
  return { kind: bot ? "bot" : "human", name, bot, stands_in, ...state };
}

test("bots of a level are called as the reader's language calls them, people and other bots as they are", () => {
  expect(namesOf(["Ann", "Clover", "Hal"], [null, "level2", "greedy"])).toEqual(["Ann", "Klee", "Hal"]);
});

test("bots of the same level are told apart", () => {
  expect(namesOf(["Ivy", "Ivy 2", "Ivy 3"], ["level3", "level3", "level3"])).toEqual(["Efeu", "Efeu 2", "Efeu 3"]);
});

test("a bot that stands in keeps the name of the one who is away, and a free seat its number", () => {
  expect(namesAt([chair("Ann", "level2", true), chair(null), chair("Clover", "level2")])).toEqual(["Ann", "2", "Klee"]);
});
