import { mergeConfig } from "vite";
import { defineConfig } from "vitest/config";
import base from "./vite.config.ts";

export default mergeConfig(
  base,
  defineConfig({
    // The browser's side of Svelte, in a document of happy-dom.
    resolve: { conditions: ["browser"] },
    test: { environment: "happy-dom", include: ["src/**/*.test.ts", "build/**/*.test.ts"], restoreMocks: true },
  }),
);
