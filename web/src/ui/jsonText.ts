// JSON as people edit it: where a text ceases to be JSON and why, and where its parts are, as `core/inputs/json_text.py` says it.

/** What is wrong with a text; the words of `file` have a sentence for each. */
export type Why =
  "cut" | "comma" | "comment" | "quote" | "several" | "after" | "open" | "sign" | "twice" | "missing" | "unexpected";

export interface Fault {
  why: Why;
  /** Which character it is, from 0. */
  at: number;
  /** What stands there, for the sentence. */
  shown: string;
}

/** Called for the parts of a text, a member of an object at its key, and with their paths: `deal.hands[0]`. */
type OnPart = (path: string, at: number) => void;

const SPACE = /[ \t\n\r]*/y;
const TEXT = /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uffff]*)*"/y;
/** A text without its end. */
const TEXT_BEGIN = /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uffff]*)*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y;
/** What is typed, or made of it by a text processor, where JSON has `"`. */
const QUOTES = "“”„‟«»‘’‚‛'`";

interface Open {
  end: "}" | "]";
  path: string;
  entry: number;
  keys: Set<string>;
}

/** The first fault of a text: where it is not JSON, or else a key that an object has twice. */
export function faultIn(text: string): Fault | undefined {
  return scan(text);
}

/** Where the part of a path begins in valid JSON. */
export function partIn(text: string, path: string): number | undefined {
  let found: number | undefined;
  scan(text, (part, at) => (found ??= part === path ? at : undefined));
  return found;
}

/** The line and the column of a character, both counted from 1. */
export function lineAndColumn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: [...before.at(-1)!].length + 1 };
}

function scan(text: string, onpart?: OnPart): Fault | undefined {
  const open: Open[] = [];
  let at = 0;
  let twice: Fault | undefined;

  /** What matches here; the place moves behind it. */
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const next = (): string => (take(SPACE), text[at] ?? "");

  for (;;) {
    // A value, after the key that names it in an object.
    let char = next();
    const outer = open.at(-1);
    let path = "";
    if (outer?.end === "}") {
      const begin = at;
      const key = take(TEXT);
      if (key === undefined) return fault(text, at);
      const name = JSON.parse(key) as string;
      if (outer.keys.has(name)) twice ??= { why: "twice", at: begin, shown: name };
      outer.keys.add(name);
      if (next() !== ":") return fault(text, at, ":");
      at += 1;
      char = next();
      if (onpart) onpart((path = outer.path ? `${outer.path}.${name}` : name), begin);
    } else if (outer && onpart) {
      onpart((path = `${outer.path}[${outer.entry}]`), at);
    }
    if (char === "{" || char === "[") {
      const end = char === "{" ? "}" : "]";
      at += 1;
      if (next() !== end) {
        open.push({ end, path, entry: 0, keys: new Set() });
        continue;
      }
      at += 1;
    } else if ((char === '"' ? take(TEXT) : take(SCALAR)) === undefined) {
      return fault(text, at);
    }
    // What ends with it, up to the comma before the next one.
    while (open.length && next() === open.at(-1)!.end) {
      at += 1;
      open.pop();
    }
    char = next();
    if (!open.length) return char === "" ? twice : faultAfter(text, at);
    if (char !== ",") return fault(text, at, ",");
    const comma = at;
    at += 1;
    open.at(-1)!.entry += 1;
    const after = next();
    if (after === "}" || after === "]") return { why: "comma", at: comma, shown: after };
  }
}

/** What is wrong where something else was expected: a value or a key, or the sign that is `missing`. */
function fault(text: string, at: number, missing?: string): Fault {
  const shown = shownAt(text, at);
  if (!shown) return { why: "cut", at, shown };
  if (/^(?:\/\/|\/\*|#)/.test(text.slice(at, at + 2))) return { why: "comment", at, shown };
  if (QUOTES.includes(shown)) return { why: "quote", at, shown };
  if (missing) return { why: "missing", at, shown: missing };
  if (shown === '"' && !isText(text, at)) return faultInText(text, at);
  return { why: "unexpected", at, shown };
}

function isText(text: string, at: number): boolean {
  TEXT.lastIndex = at;
  return TEXT.test(text);
}

/** What is wrong in a text between quotation marks, which begins here. */
function faultInText(text: string, begin: number): Fault {
  TEXT_BEGIN.lastIndex = begin;
  TEXT_BEGIN.test(text);
  const at = TEXT_BEGIN.lastIndex;
  return at < text.length ? { why: "sign", at, shown: text[at]! } : { why: "open", at: begin, shown: '"' };
}

/** What is wrong behind the end of the value. */
function faultAfter(text: string, at: number): Fault {
  const shown = shownAt(text, at);
  return { why: shown === "{" ? "several" : "after", at, shown };
}

/** The word that begins at a place, or else the sign there. */
function shownAt(text: string, at: number): string {
  const [word] = text.slice(at, at + 20).split(/\W/, 1);
  return word || (Array.from(text.slice(at, at + 2))[0] ?? "");
}
