import { expect, test } from "vitest";
import { isCacheable } from "./cacheable";

function answer(type: string, status = 200): Response {
  return new Response("", { status, headers: { "content-type": type } });
}

test("a page of a proxy is kept in the place of no file", () => {
  expect(isCacheable(answer("text/javascript"), false)).toBe(true);
  expect(isCacheable(answer("text/html; charset=utf-8"), true)).toBe(true);
  expect(isCacheable(answer("text/html"), false)).toBe(false);
  expect(isCacheable(answer("text/plain"), true)).toBe(false);
  expect(isCacheable(answer("text/javascript", 503), false)).toBe(false);
});
