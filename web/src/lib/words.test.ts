import { afterEach, expect, test, vi } from "vitest";
import { locale, speak } from "./words.svelte";

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["en", ["en-GB", "de-DE"], "en-GB"],
  ["de", ["en-GB", "de-AT"], "de-AT"],
  ["fr", ["en-GB"], "fr"],
] as const)("times in %s for a browser with %j are written as in %s", async (language, languages, expected) => {
  vi.stubGlobal("navigator", { languages });
  await speak(language);
  expect(locale()).toBe(expected);
});
