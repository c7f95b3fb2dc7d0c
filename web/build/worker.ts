// Builds the service worker, `worker.js`, with the names of the files that it keeps.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "vite";
import type { Build, NoticeWords } from "../src/worker/build.ts";

const SOURCE = join(import.meta.dirname, "../src/worker/worker.ts");
const WORDS = join(import.meta.dirname, "../src/words/notices.json");
/** Words that any page needs. */
const FIRST = ["first", "app"];
const OFFLINE = "/src/pages/Offline.svelte";
/** Pages of which nothing can be shown without the server. */
const ONLINE =
  /\/src\/(pages\/(ConfirmMail|Me|People|Ratings|Review|Screen|StopMail|Table|Today)|waiting\/(InvitePeople|Waiting))\.svelte$/;
/** Words that only those need. */
const ONLINE_WORDS = ["mail", "me", "notices", "people", "ratings", "review", "today"];
/** Fonts for letters of other languages, and those for browsers without service workers. */
const UNUSED = /\.woff$|-latin-ext-|-vietnamese-/;

/** A file of the page as the bundler describes it. */
interface File {
  fileName: string;
  isEntry?: boolean;
  facadeModuleId?: string | null;
  moduleIds?: string[];
  imports?: string[];
  dynamicImports?: string[];
  viteMetadata?: { importedCss: Set<string> };
}

export function worker(): Plugin {
  return {
    name: "worker",
    apply: "build",
    enforce: "post",
    async generateBundle(_, bundle) {
      const made = await build({
        configFile: false,
        logLevel: "warn",
        publicDir: false,
        define: {
          __BUILD__: JSON.stringify(listed(bundle as unknown as Record<string, File>)),
          __WORDS__: JSON.stringify(noticeWords()),
        },
        build: {
          write: false,
          rolldownOptions: { input: SOURCE, output: { format: "iife", entryFileNames: "worker.js" } },
        },
      });
      const [output] = [made].flat();
      if (!output || !("output" in output)) throw new Error("the worker was not built");
      this.emitFile({ type: "asset", fileName: "worker.js", source: output.output[0].code });
    },
  };
}

/** What the worker says of itself: it has no catalogue of words. */
function noticeWords(): NoticeWords {
  const words: Record<string, Record<string, string>> = {};
  for (const [key, entry] of Object.entries(JSON.parse(readFileSync(WORDS, "utf8")) as Record<string, object>)) {
    if (!key.startsWith("push_")) continue;
    for (const [language, text] of Object.entries(entry)) (words[language] ??= {})[key] = text;
  }
  return words as NoticeWords;
}

/** The files that the worker keeps. */
export function listed(bundle: Record<string, File>): Build {
  const files = Object.values(bundle).filter(({ fileName }) => fileName.startsWith("assets/"));
  const entry = files.find(({ isEntry }) => isEntry);
  const offline = files.find(({ facadeModuleId }) => facadeModuleId?.endsWith(OFFLINE));
  if (!entry || !offline) throw new Error(`the bundle lacks ${entry ? OFFLINE : "its entry"}`);
  const shell = new Set(["icon.svg"]);
  const more = new Set<string>();
  const words: Record<string, Set<string>> = {};
  const reach = (name: string): void => {
    if (shell.has(name)) return;
    shell.add(name);
    for (const style of bundle[name]?.viteMetadata?.importedCss ?? []) shell.add(style);
    for (const imported of bundle[name]?.imports ?? []) reach(imported);
  };
  reach(entry.fileName);
  reach(offline.fileName);
  const online = files.filter(({ facadeModuleId }) => ONLINE.test(facadeModuleId ?? ""));
  // Neither they nor what only they use.
  const left = new Set(online.flatMap((file) => [file.fileName, ...(file.viteMetadata?.importedCss ?? [])]));
  for (const { fileName } of files) {
    const users = files.filter((file) => [...(file.imports ?? []), ...(file.dynamicImports ?? [])].includes(fileName));
    if (users.length && users.every((file) => left.has(file.fileName))) left.add(fileName);
  }
  for (const file of files) {
    const [, language, area] = /virtual:words\/(\w+)\/(\w+)$/.exec(file.moduleIds?.[0] ?? "") ?? [];
    if (UNUSED.test(file.fileName)) continue;
    if (language && area) {
      if (FIRST.includes(area)) shell.add(file.fileName);
      else if (!ONLINE_WORDS.includes(area)) (words[language] ??= new Set()).add(file.fileName);
    } else if (file.fileName.endsWith(".woff2")) shell.add(file.fileName);
    else if (!shell.has(file.fileName) && !left.has(file.fileName)) more.add(file.fileName);
  }
  const addresses = (names: Iterable<string>) => [...names].map((name) => `/${name}`).sort();
  return {
    entry: `/${entry.fileName}`,
    shell: addresses(shell),
    more: addresses(more),
    words: Object.fromEntries(Object.entries(words).map(([language, names]) => [language, addresses(names)])),
  };
}
