import { beforeAll, expect, test } from "vitest";
import { moment, timeLeft } from "./deadline";
import { speak } from "../../shell/words.svelte";

const NOW = Date.parse("2026-11-23T12:00:00.000Z");

beforeAll(() => speak("en"));

test.each([
  ["2026-11-26T11:59:50.000Z", "3 days left"],
  ["2026-11-26T10:00:00.000Z", "2 days left"],
  ["2026-11-25T11:20:00.000Z", "47 hours left"],
  ["2026-11-24T11:59:50.000Z", "24 hours left"],
  ["2026-11-23T13:59:00.000Z", "119 minutes left"],
  ["2026-11-23T12:00:01.000Z", "1 minute left"],
  ["2026-11-23T12:00:00.000Z", "the time is over"],
  ["2026-11-20T12:00:00.000Z", "the time is over"],
])("until %s it is said that there are %s", (deadline, words) => {
  expect(timeLeft(deadline, NOW)).toBe(words);
});

test("the moment is a day and a time of day", () => {
  expect(moment("2026-11-26T12:00:00.000Z")).toMatch(/Thu.*Nov.*\d:00/);
});
