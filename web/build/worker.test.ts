import { expect, test } from "vitest";
import { listed } from "./worker.ts";

const css = (name: string) => ({ fileName: `assets/${name}` });

function chunk(name: string, more: object = {}) {
  return { fileName: `assets/${name}`, imports: [], moduleIds: [], ...more };
}

const BUNDLE = Object.fromEntries(
  [
    chunk("index-1.js", {
      isEntry: true,
      imports: ["assets/shared-1.js"],
      viteMetadata: { importedCss: new Set(["assets/index-1.css"]) },
    }),
    chunk("shared-1.js", { imports: ["assets/index-1.js"] }),
    chunk("Offline-1.js", { facadeModuleId: "/web/src/pages/Offline.svelte" }),
    chunk("Rules-1.js"),
    chunk("Table-1.js", {
      facadeModuleId: "/web/src/pages/Table.svelte",
      viteMetadata: { importedCss: new Set(["assets/Table-1.css"]) },
    }),
    chunk("Waiting-1.js", { facadeModuleId: "/web/src/waiting/Waiting.svelte" }),
    chunk("me-1.js", { moduleIds: ["\0virtual:words/de/me"] }),
    css("Table-1.css"),
    chunk("first-1.js", { moduleIds: ["\0virtual:words/de/first"] }),
    chunk("rules-1.js", { moduleIds: ["\0virtual:words/de/rules"] }),
    chunk("rules-2.js", { moduleIds: ["\0virtual:words/fr/rules"] }),
    css("index-1.css"),
    css("Rules-1.css"),
    css("fraunces-latin-600-normal-1.woff2"),
    css("fraunces-latin-ext-600-normal-1.woff2"),
    css("fraunces-latin-600-normal-1.woff"),
  ].map((file) => [file.fileName, file]),
);

test("the shell is what the entry and the page without a network need; what needs the server is not kept", () => {
  expect(listed(BUNDLE)).toEqual({
    entry: "/assets/index-1.js",
    shell: [
      "/assets/Offline-1.js",
      "/assets/first-1.js",
      "/assets/fraunces-latin-600-normal-1.woff2",
      "/assets/index-1.css",
      "/assets/index-1.js",
      "/assets/shared-1.js",
      "/icon.svg",
    ],
    more: ["/assets/Rules-1.css", "/assets/Rules-1.js"],
    words: { de: ["/assets/rules-1.js"], fr: ["/assets/rules-2.js"] },
  });
});
