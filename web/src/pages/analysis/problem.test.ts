import { expect, test, vi } from "vitest";
import { EngineError } from "../../engine/errors";
import { WrongPlace } from "./place";
import { problemOf } from "./problem";

vi.mock("../../shell/words.svelte", () => ({ t: (key: string, about?: object) => key + JSON.stringify(about ?? "") }));

test.each(["unavailable", "module", "failed"] as const)("of an engine that is %s its error says nothing", (reason) =>
  expect(problemOf(new EngineError(reason, "Failed to fetch"))).toBe(`common.no_engine""`),
);

test("what is wrong in a text or an address is said, and in which move", () => {
  const wrong = new EngineError("record", "no move", { ply: 3 });
  expect(problemOf(wrong)).toBe(`analysis.text_wrong{"problem":"ply 3: no move"}`);
  expect(problemOf(new WrongPlace("x".repeat(400)))).toBe(`analysis.link_wrong{"problem":"${"x".repeat(300)}…"}`);
});
