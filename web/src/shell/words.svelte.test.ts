import { flushSync } from "svelte";
import { afterEach, expect, test, vi } from "vitest";
import { knows, language, locale, need, speak, t } from "./words.svelte";

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

test("the words of an area are there in the language that was chosen last, also while another one was loading", async () => {
  await speak("en");
  expect(knows("score.sheet")).toBe(false);
  const before = need("score");
  const chosen = speak("de");
  const after = need("rules");
  await Promise.all([before, chosen, after]);
  expect(language()).toBe("de");
  expect([t("common.theme"), t("score.players"), t("rules.chapters")]).toEqual(["Farben", "Spieler", "Kapitel"]);
  await speak("fr");
  expect(t("rules.chapters")).toBe("Chapitres");
});

test("words that are there are there at once", async () => {
  await speak("en");
  await need("score");
  const there = vi.fn();
  void need("score").then(there);
  await Promise.resolve();
  expect(there).toHaveBeenCalled();
  const coming = vi.fn();
  const others = need("review").then(coming);
  await Promise.resolve();
  expect(coming).not.toHaveBeenCalled();
  await others;
});

test("what waits for words is not begun again when they come", async () => {
  await speak("en");
  const begun = vi.fn();
  let coming: Promise<void> | undefined;
  const stop = $effect.root(() => {
    $effect(() => {
      begun();
      coming = need("history");
    });
  });
  flushSync();
  await coming;
  flushSync();
  stop();
  expect(begun).toHaveBeenCalledOnce();
});

test("a message is formatted with its values by the rules of its language", async () => {
  await speak("en");
  expect([t("common.points", { n: 1 }), t("common.points", { n: 4000 })]).toEqual(["1 point", "4,000 points"]);
  await speak("de");
  expect([t("common.points", { n: 1 }), t("common.points", { n: 4000 })]).toEqual(["1 Punkt", "4.000 Punkte"]);
});

test("a key whose words are not loaded is reported", () => {
  const reported = vi.fn();
  vi.stubGlobal("reportError", reported);
  t("privacy.sure");
  expect(reported).toHaveBeenCalledOnce();
});
