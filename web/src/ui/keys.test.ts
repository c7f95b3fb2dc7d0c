import { afterEach, expect, test } from "vitest";
import { keyOf } from "./keys";

afterEach(() => document.body.replaceChildren());

function press(key: string, code: string, more: KeyboardEventInit = {}, target: Element = document.body) {
  let found: string | undefined;
  const hear = (event: Event) => (found = keyOf(event as KeyboardEvent));
  document.addEventListener("keydown", hear);
  target.dispatchEvent(new KeyboardEvent("keydown", { key, code, bubbles: true, ...more }));
  document.removeEventListener("keydown", hear);
  return found;
}

test.each([
  ["1", "Digit1", "1", "QWERTY"],
  ["&", "Digit1", "1", "AZERTY"],
  ["é", "Digit2", "2", "AZERTY"],
  ["à", "Digit0", "0", "AZERTY"],
  ["-", "Digit6", "-", "AZERTY: a sign that is written counts before a place"],
  ["+", "Digit1", "+", "Czech, Swiss"],
  ["ě", "Digit2", "2", "Czech"],
  ["۱", "Digit1", "1", "Persian"],
  ["1", "Numpad1", "1", "the keys beside"],
  ["r", "KeyR", "r", "QWERTY"],
  ["R", "KeyR", "r", "Caps Lock"],
  ["r", "KeyO", "r", "Dvorak"],
  ["p", "KeyR", "p", "Dvorak: a letter is no other one"],
  ["ı", "KeyR", "ı", "Turkish F"],
  ["к", "KeyR", "r", "Cyrillic"],
  ["ρ", "KeyR", "r", "Greek"],
  ["ר", "KeyR", "r", "Hebrew"],
  ["ق", "KeyR", "r", "Arabic"],
  ["ㄱ", "KeyR", "r", "Korean"],
  ["Process", "KeyR", "r", "an input method"],
  ["?", "Minus", "?", "QWERTZ"],
  ["؟", "Slash", "?", "Arabic"],
  ["+", "BracketRight", "+", "QWERTZ"],
  ["=", "Equal", "=", "QWERTY"],
  ["ArrowLeft", "ArrowLeft", "ArrowLeft", ""],
  ["End", "Numpad1", "End", "without Num Lock"],
  ["Escape", "Escape", "Escape", ""],
  ["Enter", "NumpadEnter", "Enter", ""],
])("%s at %s is %s: %s", (key, code, name) => expect(press(key, code)).toBe(name));

test.each(["ctrlKey", "altKey", "metaKey", "isComposing"])("with %s it is none of ours", (held) =>
  expect(press("r", "KeyR", { [held]: true })).toBeUndefined(),
);

test("with Shift a digit is what it writes", () => {
  expect(press("!", "Digit1", { shiftKey: true })).toBe("!");
  expect(press("1", "Digit1", { shiftKey: true })).toBe("1");
});

test.each(["input", "textarea", "select"])("what is typed into %s is none of ours", (name) => {
  const field = document.createElement(name);
  document.body.append(field);
  expect(press("r", "KeyR", {}, field)).toBeUndefined();
});
