// What a linter finds in the page. Types and Svelte's own warnings are svelte-check's, the form is Prettier's.

import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

/** The clock of a device may be wrong. */
const DEVICE_TIME = [
  "CallExpression[callee.object.name='Date'][callee.property.name='now']",
  "NewExpression[callee.name='Date'][arguments.length=0]",
].map((selector) => ({
  selector,
  message: "Take clock.now() of shell/clock for the time, and performance.now() for how long something takes.",
}));

export default ts.config(
  { ignores: ["types/", "package/dist/"] },
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    languageOptions: { globals: globals.browser },
    rules: {
      // TypeScript knows which names there are.
      "no-undef": "off",
      eqeqeq: "error",
      "no-console": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      // The maps, sets and addresses here are made anew in a derived value, and never changed afterwards.
      "svelte/prefer-svelte-reactivity": "off",
    },
  },
  {
    files: ["src/**"],
    ignores: ["src/shell/{store,worker,clock.svelte}.ts", "src/worker/**", "**/*.test.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        ...DEVICE_TIME,
        {
          selector:
            "Identifier[name=/^(localStorage|sessionStorage|indexedDB|caches|cookieStore|serviceWorker)$/], " +
            "MemberExpression[object.name='document'][property.name='cookie']",
          message: "A browser may refuse it or throw: shell/store.ts and shell/worker.ts are prepared for that.",
        },
      ],
    },
  },
  { files: ["build/**", "*.config.*"], languageOptions: { globals: globals.node } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"], svelteConfig } },
  },
);
