import { expect, test } from "vitest";
import { addressOf, readLink } from "../../shell/link";
import { analysisPath, codeOf, gameOf, type Place, placeIn, placeOf, placeOfText, WrongPlace } from "./place";

const RECORD = {
  ...{ format: "bosquet/1", game: "quoits", options: { players: 2 }, deal: { pile: ["B1Y3"] }, moves: ["a"] },
  ...{ result: null, players: ["Zoë", "李"], fair: { secret: "5e" }, started: "2026-01-01T00:00:00Z" },
};
const PLACES: Place[] = [
  { ...placeIn(RECORD, 1), path: ["B2G1@-1,0W"] },
  { ...placeOfText(" quoits/players=2/view=0 ", RECORD), mine: 1 },
];

test.each(PLACES)("a place comes back as it was: %#", (place) => {
  expect(placeOf(codeOf(place))).toEqual(place);
  expect(gameOf(place)).toBe("quoits");
});

test.each(PLACES)("its link comes through a message: %#", (place) => {
  const path = analysisPath(place);
  for (const around of [path, `${path}).`, `${path}%20`, path.replace("#", "%23"), `https://host.example${path}>`]) {
    expect(addressOf(readLink(around))).toBe(path);
  }
});

test("secrets and dates of a table are in no link", () => {
  const { source } = placeIn(RECORD);
  expect(Object.keys("record" in source ? source.record : {})).not.toContain("fair");
  expect(Object.keys("record" in source ? source.record : {})).not.toContain("started");
});

const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));
const coded = (value: unknown) => btoa(JSON.stringify(value)).replace(/=+$/, "");
test.each([
  ["", "code"],
  ["a", "code"],
  [coded([1]), "code"],
  [coded({ position: "quoits", path: [] }), "seed"],
  [coded({ position: "quoits", seed: "1" }), "path"],
  [coded({ position: "quoits", seed: "1", path: ["a", 2] }), "path[1]"],
  [coded({ seed: "1", path: [] }), "record"],
  [coded({ position: "quoits", seed: "1", mine: "0", path: [] }), "mine"],
  [coded({ record: { moves: [] }, seed: "1", plies: 0.5, path: [] }), "plies"],
  [coded({ record: { game: "quoits" }, seed: "1", path: [] }), "record.moves"],
  [coded({ record: { game: { toString: 1 }, moves: [] }, seed: "1", path: [] }), "record.game"],
  [coded({ position: "quoits", seed: "1", path: [], more: nested(100) }), "nested too deeply"],
  [coded({ record: { moves: [] }, position: "quoits", seed: "1", path: [] }), "record"],
  ["a".repeat(200_001), "200001 characters"],
])("a link that is none says what is wrong: %.20s", (code, wrong) => {
  expect(() => placeOf(code)).toThrow(new WrongPlace(wrong));
});
