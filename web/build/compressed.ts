// Writes each file of the built page compressed beside it, so that the server never compresses while it serves.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** Fonts are compressed as they are. */
const COMPRESSIBLE = new Set([".css", ".html", ".js", ".json", ".svg"]);
/** Smaller files fit into the packet that carries the head of the answer. */
const SMALLEST = 500;

export function compressed(): Plugin {
  let folder: string;
  return {
    name: "compressed",
    apply: "build",
    configResolved(config) {
      folder = config.build.outDir;
    },
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        if (!COMPRESSIBLE.has(extname(name))) continue;
        const content = readFileSync(join(folder, name));
        if (content.length < SMALLEST) continue;
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, { params }));
        writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
      }
    },
  };
}
