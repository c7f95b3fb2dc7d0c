import { expect, test, vi } from "vitest";
import { EngineError } from "../../engine/errors";
import { WrongPlace } from "./place";
import { problemOf } from "./problem";

vi.mock("../../shell/words.svelte", () => ({ t: (key: string, about?: object) => key + JSON.stringify(about ?? "") }));

test.each(["unavailable", "module", "failed"] as const)("of an engine that is %s its error says nothing", (reason) =>
  expect(problemOf(new EngineError(reason, "Failed to fetch"))).toEqual({ words: `common.no_engine""` }),
);

test.each([
  ["no move", 3, { key: "analysis.text_move", n: 3 }],
  [`character 23, players: "9" is no value`, undefined, { key: "analysis.text_field", field: "players" }],
  ["character 7 is none of those", undefined, { key: "analysis.text_other" }],
  [`the field "turn=" is missing; it has players`, undefined, { key: "analysis.text_field", field: "turn" }],
  ["there are two of a card", undefined, { key: "analysis.text_other" }],
])("what is wrong is said in the words of the page, and what the engine says beside it: %s", (message, ply, said) => {
  const { key, ...about } = said;
  const problem = key + JSON.stringify(Object.keys(about).length ? about : "");
  expect(problemOf(new EngineError("record", message, { ply }))).toEqual({
    words: `analysis.text_wrong${JSON.stringify({ problem })}`,
    detail: message,
  });
});

test("which part of a link is wrong stands beside the words", () =>
  expect(problemOf(new WrongPlace("x".repeat(400)))).toEqual({
    words: `analysis.link_wrong""`,
    detail: `Wrong in it: ${"x".repeat(300)}…`,
  }));
