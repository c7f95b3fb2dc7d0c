import { expect, test } from "vitest";
import { isFile } from "./answers";

function answer(type: string, status = 200): Response {
  return new Response("", { status, headers: { "content-type": type } });
}

test("a page of a proxy is kept in the place of no file", () => {
  expect(isFile(answer("text/javascript"), false)).toBe(true);
  expect(isFile(answer("text/html; charset=utf-8"), true)).toBe(true);
  expect(isFile(answer("text/html"), false)).toBe(false);
  expect(isFile(answer("text/plain"), true)).toBe(false);
  expect(isFile(answer("text/javascript", 503), false)).toBe(false);
});
