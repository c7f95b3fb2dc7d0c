import { existsSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { compressed } from "./build/compressed.ts";
import { manifest } from "./build/manifest.ts";
import { worker } from "./build/worker.ts";
import { words } from "./build/words.ts";

/** The start page needs nearly all of these, and many pages the others: one file is smaller than several. */
const SHARED = [
  ...["client/api", "client/download", "client/localNetwork.svelte", "client/refusal", "client/turnsWaiting.svelte"],
  ...["core/board", "core/botNames", "core/catalogue", "core/clockWords", "core/engines", "core/levels"],
  ...["core/slowWords", "games/folders", "local/puzzleAnswers", "local/reading", "local/savedTables", "pages/here"],
  ...["pages/start/firstVisit", "pages/start/setting/setting", "shell/current.svelte", "shell/name.svelte"],
  ...["shell/notify", "shell/parts.svelte", "shell/random", "shell/route.svelte", "shell/whenBack", "ui/copy"],
  ...["ui/initial", "ui/keys", "ui/numbers", "ui/pointers", "ui/presses", "ui/saveFile", "ui/seatShapes"],
  ...["ui/time/days", "ui/time/deadline", "ui/Problem", "ui/SeatMark", "ui/time/TimeLeft"],
];

/** What tables, replays and the analysis show beside a board. */
const BESIDE_BOARDS = [
  ...["core/findHints", "ending/endedEarly", "ending/laurel", "ending/verdict", "panel/log/moveWords", "panel/talks"],
  ...["score/ScoreSheet", "score/SheetLine", "shell/readTips", "ui/Menu", "ui/Question", "ui/Said"],
  ...["ui/focus.svelte", "ui/motion", "ui/zoom/Zoom", "ui/zoom/gestures"],
];

/** Return whether a file is one of some modules. Throws where one of these does not exist. */
function isOneOf(modules: string[]): (id: string) => boolean {
  const files = modules.map((module) => {
    const file = [".ts", ".svelte"].map((type) => `/src/${module}${type}`).find((one) => existsSync(`.${one}`));
    if (file === undefined) throw new Error(`vite.config.ts names ${module}, which is no module of web/src`);
    return file;
  });
  return (id) => files.some((file) => id.endsWith(file));
}

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
            { name: "shared", test: isOneOf(SHARED), priority: 3 },
            { name: "beside", test: isOneOf(BESIDE_BOARDS), priority: 2 },
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
