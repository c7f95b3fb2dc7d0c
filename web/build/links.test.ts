import { expect, test } from "vitest";
import { inFolder } from "./links.ts";

const links = (markup: string) =>
  inFolder(`<script lang="ts">let game: string;</script>${markup}`, "I;").split("</script>")[1];

test("an address of the page is one of its folder", () => {
  expect(links('<a class="x" href="/rules">R</a>')).toBe('<a class="x" href={bosquetAt("/rules")}>R</a>');
  expect(links('{#if game}<p><a href="/rules/{game}#x">R</a></p>{/if}')).toBe(
    '{#if game}<p><a href={bosquetAt("/rules/" + (game) + "#x")}>R</a></p>{/if}',
  );
  expect(links("<a href={`/a/${game}`}>R</a><a {href}>R</a>")).toBe(
    "<a href={bosquetAt((`/a/${game}`))}>R</a><a href={bosquetAt((href))}>R</a>",
  );
});

test("other addresses stay as they are", () => {
  const others = '<a href="#main">M</a><a href="">L</a><a href="https://example.org">E</a><a>N</a><use href="/x" />';
  expect(links(others)).toBe(others);
});

test("a component gets what it needs, also without a script", () => {
  expect(inFolder('<a href="/">S</a>', "I;")).toBe('<script lang="ts">I;</script><a href={bosquetAt("/")}>S</a>');
  expect(inFolder('<script lang="ts">let a;</script><a href="/">S</a>', "I;")).toBe(
    '<script lang="ts">I;let a;</script><a href={bosquetAt("/")}>S</a>',
  );
});
