// Says what the page is: to the system that installs it, in the manifest of each language
// (`manifest-LANGUAGE.webmanifest`); in index.html to programs that show a link, and to those without scripts.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HtmlTagDescriptor, Plugin } from "vite";

/** The place in index.html for those without scripts. */
const WITHOUT_SCRIPT = /<div class="unloaded"[^>]*>\s*/;
const WORDS = join(import.meta.dirname, "../src/words/app.json");

export function manifest(): Plugin {
  return {
    name: "manifest",
    apply: "build",
    generateBundle() {
      for (const [language, description] of Object.entries(about())) {
        const source = JSON.stringify(described(language, description));
        this.emitFile({ type: "asset", fileName: `manifest-${language}.webmanifest`, source });
      }
    },
    transformIndexHtml: (page) => ({ html: page.replace(WITHOUT_SCRIPT, `$&${texts(about())}`), tags: tags(about()) }),
  };
}

/** What the page is, by language. */
function about(): Record<string, string> {
  return (JSON.parse(readFileSync(WORDS, "utf8")) as { about: Record<string, string> }).about;
}

/** What stands where the script does not come. */
function texts(words: Record<string, string>): string {
  const said = Object.entries(words).map(([language, text]) => `<p lang="${language}">${text}</p>`);
  return ["<h1>bosquet: Topiary, Topas, Schlossgarten</h1>", ...said].join("\n      ");
}

function tags(words: Record<string, string>): HtmlTagDescriptor[] {
  // What messengers show follows from the address: the server adds it, and `bosquet site` does.
  return [{ tag: "meta", attrs: { name: "description", content: words["en"] ?? "" }, injectTo: "head" }];
}

/** The manifest in a language; it is the same application in each: that of the folder where it lies. */
function described(language: string, description: string): object {
  const icon = (name: string, sizes: string, type: string, purpose = "any") => ({
    src: name,
    sizes,
    type,
    purpose,
  });
  return {
    name: "bosquet",
    short_name: "bosquet",
    lang: language,
    description,
    start_url: ".",
    scope: ".",
    display: "standalone",
    background_color: "#f6f1e4",
    theme_color: "#f6f1e4",
    categories: ["games"],
    icons: [
      icon("icon.svg", "any", "image/svg+xml"),
      icon("icons/192.png", "192x192", "image/png"),
      icon("icons/512.png", "512x512", "image/png"),
      icon("icons/maskable-192.png", "192x192", "image/png", "maskable"),
      icon("icons/maskable-512.png", "512x512", "image/png", "maskable"),
    ],
  };
}
