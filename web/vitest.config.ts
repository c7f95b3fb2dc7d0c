import { mergeConfig } from "vite";
import { defineConfig } from "vitest/config";
import base from "./vite.config.ts";

export default mergeConfig(
  base,
  defineConfig({
    // The browser's side of Svelte, in a document of happy-dom.
    resolve: { conditions: ["browser"] },
    // Each file of tests has modules and a document of its own, in threads that are started once.
    test: {
      environment: "happy-dom",
      pool: "vmThreads",
      include: ["src/**/*.test.ts", "build/**/*.test.ts"],
      restoreMocks: true,
    },
  }),
);
