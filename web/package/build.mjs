// Makes `dist`: the wrapper of the page in JavaScript with its types, and the engines of the games.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const here = import.meta.dirname;
const compiler = join(here, "../node_modules/typescript/bin/tsc");
if (!existsSync(compiler)) throw new Error("the compiler is not installed: call `npm ci` in web/");
rmSync(join(here, "dist"), { recursive: true, force: true });
execFileSync(process.execPath, [compiler, "-p", here], { stdio: "inherit" });
for (const types of globSync(join(here, "dist/**/*.d.ts"))) {
  writeFileSync(types, readFileSync(types, "utf8").replace(/(from "\..*)\.ts"/g, '$1.js"')); // the compiler leaves these
}
copyFileSync(join(here, "../../LICENSE"), join(here, "dist/LICENSE"));
for (const engine of globSync(join(here, "../../src/bosquet/games/*/engine.wasm"))) {
  copyFileSync(engine, join(here, "dist/package", `${basename(dirname(engine))}.wasm`));
}
