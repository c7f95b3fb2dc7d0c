import { afterEach, expect, test, vi } from "vitest";
import { route } from "../shell/route.svelte";
import { goHere } from "./goHere";

afterEach(() => route.replace("/"));

test("a second press on a button leaves no table behind", () => {
  const went = vi.spyOn(history, "pushState");
  vi.stubGlobal("scrollTo", vi.fn());
  const wish = { game: "any", options: {}, seats: [{ kind: "here", name: "Ada" }], first: 0 } as never;

  goHere(wish);
  const { path } = route;
  goHere(wish);

  expect(path).toMatch(/^\/here\/any\/[0-9a-f]{16}$/);
  expect(route.path).toBe(path);
  expect(went).toHaveBeenCalledOnce();
});
