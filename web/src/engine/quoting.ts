// Untrusted input in messages, as `core/errors.py` shows it.

/** What is not shown as it is: all that is not printable, but the space. */
const HIDDEN = new RegExp("\\p{C}|(?! )\\p{Z}", "u");

/** Return a value for use in a message: one printable line of limited length. */
export function quoted(value: unknown, limit = 60): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") return String(value);
  const letters = Array.from(value.slice(0, 2 * limit + 2));
  const cut = letters.length > limit ? [...letters.slice(0, limit - 1), "…"] : letters;
  return `"${cut.map((letter) => (HIDDEN.test(letter) ? escaped(letter) : letter)).join("")}"`;
}

/** Return a text as Python writes it in code. */
export function asInPython(text: string): string {
  const inner = quoted(text.replaceAll("\\", "\\\\"), Infinity).slice(1, -1);
  return text.includes("'") && !text.includes('"') ? `"${inner}"` : `'${inner.replaceAll("'", "\\'")}'`;
}

function escaped(letter: string): string {
  const short = { "\t": "\\t", "\n": "\\n", "\r": "\\r" }[letter];
  if (short) return short;
  const code = letter.codePointAt(0)!;
  const [mark, length] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return `\\${mark}${code.toString(16).padStart(length as number, "0")}`;
}

/** Return the first items for use in a message: `a1E, a2E, a3E … (37 more)`. */
export function listed(items: readonly string[], limit = 12): string {
  const shown = items.slice(0, limit).join(", ");
  return items.length > limit ? `${shown} … (${items.length - limit} more)` : shown;
}
