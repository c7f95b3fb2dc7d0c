import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { compressed } from "./build/compressed.ts";
import { manifest } from "./build/manifest.ts";
import { worker } from "./build/worker.ts";
import { words } from "./build/words.ts";

/** The start page needs nearly all of these, and many pages the others: one file is smaller than several. */
const SHARED = [
  ...["core/board", "core/botNames", "core/catalogue", "core/levels", "games/folders"],
  ...["local/puzzleAnswers", "local/savedTables", "local/reading", "pages/start/firstVisit"],
  ...["client/api", "client/refusal", "client/turnsWaiting.svelte"],
  ...["shell/current.svelte", "shell/name.svelte", "shell/random", "shell/route.svelte", "shell/whenBack"],
  ...["ui/initial", "ui/numbers", "ui/presses", "ui/seatShapes"],
];

export default defineConfig({
  plugins: [words(), svelte(), manifest(), worker(), compressed()],
  // The files find each other wherever they lie; index.html, which is sent for addresses of any depth, names the folder.
  base: "./",
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === "html" ? `/${file}` : { relative: true }),
  },
  build: {
    outDir: "../src/bosquet/server/page",
    emptyOutDir: true,
    // The policy of the page allows no inline script and no data: address of a font.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Files name each other a thousand times: shorter hashes tell the versions of a file apart, too.
        hashCharacters: "base36",
        entryFileNames: "assets/[name]-[hash:7].js",
        chunkFileNames: "assets/[name]-[hash:7].js",
        assetFileNames: "assets/[name]-[hash:7][extname]",
        codeSplitting: {
          groups: [
            { name: "shared", test: (id) => SHARED.some((module) => id.endsWith(`/src/${module}.ts`)), priority: 1 },
            // Every component imports it: it must not lie with the first picture.
            { name: "shared", test: /svelte\/src\/(internal\/disclose-)?version\.js$/, priority: 1 },
            { name: (id) => `picture-${/games\/(\w+)/.exec(id)?.[1]}`, test: /src\/games\/\w+\/Picture\.svelte$/ },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
});
