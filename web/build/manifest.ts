// Writes the manifest of the installed page in each language, `manifest-LANGUAGE.webmanifest`.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const WORDS = join(import.meta.dirname, "../src/words/app.json");

export function manifest(): Plugin {
  return {
    name: "manifest",
    apply: "build",
    generateBundle() {
      const { about } = JSON.parse(readFileSync(WORDS, "utf8")) as Record<string, Record<string, string>>;
      for (const [language, description] of Object.entries(about ?? {})) {
        const source = JSON.stringify(described(language, description));
        this.emitFile({ type: "asset", fileName: `manifest-${language}.webmanifest`, source });
      }
    },
  };
}

/** The manifest in a language; it is the same application in each. */
function described(language: string, description: string): object {
  const icon = (name: string, sizes: string, type: string, purpose = "any") => ({
    src: `/${name}`,
    sizes,
    type,
    purpose,
  });
  return {
    id: "/",
    name: "bosquet",
    short_name: "bosquet",
    lang: language,
    description,
    start_url: "/",
    scope: "/",
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
