import { expect, test } from "vitest";
import { addressOf, cameBack, EMPTY, leave, searchIn } from "./search";

test("a search is read from the address that it makes", () => {
  const search = { ...EMPTY, game: "chess", opponent: "Bea & Co" };
  expect(searchIn(addressOf(search))).toEqual(search);
  expect(addressOf(EMPTY)).toBe("");
  expect(searchIn("?game=chess&unknown=1")).toEqual({ ...EMPTY, game: "chess" });
});

test("only who comes back to the same search finds the place that was left", () => {
  const left = { list: "/history?game=chess", shown: 60, table: "t1" };
  leave(left);
  expect(cameBack("/history?game=chess")).toBe(left);
  expect(cameBack("/history")).toBeUndefined();
});
