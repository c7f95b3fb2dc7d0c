// Which key was pressed, in the words of the lists of keys: by what it writes, and on a keyboard that writes something else
// there (digits of a French one, letters of a Greek one) by its place.

const QUESTION = ["?", "\u037e", "\u061f", "\uff1f"];
/** Names of keys of which a browser does not say what they write. */
const UNNAMED = ["Dead", "Process", "Unidentified"];
/** Letters of Latin alphabets, with all that is put on them. */
const LATIN = /^[A-Za-z\u00aa-\u024f\u1e00-\u1eff]$/;
const FIELD = "input, textarea, select, [contenteditable]:not([contenteditable=false])";

/**
 * `r`, `1`, `?`, `ArrowLeft`. Undefined for what is typed into a field or composed, and for what is meant for the browser:
 * keys with Ctrl, Alt or Meta.
 */
export function keyOf(event: KeyboardEvent): string | undefined {
  const { key, code, shiftKey } = event;
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (event.target instanceof Element && event.target.closest(FIELD)) return undefined;
  if (QUESTION.includes(key)) return "?";
  if (key.length > 1 && !UNNAMED.includes(key)) return key;
  if (/^[0-9+=-]$/.test(key)) return key;
  const [, digit] = /^(?:Digit|Numpad)(\d)$/.exec(code) ?? [];
  if (digit && !shiftKey) return digit;
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  return letter && !LATIN.test(key) ? letter.toLowerCase() : key.toLowerCase();
}
