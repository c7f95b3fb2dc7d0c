import { expect, test } from "vitest";
import { inPath, inQuery } from "./base";

test.each([
  ["/here/chess/3fa", "/here/chess/?at=3fa"],
  ["/here/chess/3fa?teach", "/here/chess/?at=3fa&teach"],
  ["/here/replay/3fa#12", "/here/replay/?at=3fa#12"],
  ["/here/coach/3fa?a=1#ply3", "/here/coach/?at=3fa&a=1#ply3"],
  ["/replay/x7Yz", "/replay/?at=x7Yz"],
  ["/today/2026-11-26", "/today/?at=2026-11-26"],
  ["/puzzles/chess/2026-11-26", "/puzzles/?at=chess/2026-11-26"],
])("%s has no file of its own, but that of %s", (address, filed) => {
  expect(inQuery(address)).toBe(filed);
  expect(inPath(filed)).toBe(address);
});

test.each([
  "/",
  "/here/chess",
  "/here/chess?teach",
  "/history?game=chess",
  "/rules/chess#ends",
  "/engines/chess-1a.wasm",
])("%s has a file of its own", (address) => {
  expect(inQuery(address)).toBe(address);
  expect(inPath(address)).toBe(address);
});

test("it is read without the slash, too", () => {
  expect(inPath("/here/chess?at=3fa&teach#1")).toBe("/here/chess/3fa?teach#1");
});
