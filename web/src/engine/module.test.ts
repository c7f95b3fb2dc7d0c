// @vitest-environment node
import { expect, test } from "vitest";
import { EngineError } from "./errors";
import { FORMAT, startModule } from "./module";

/** A module without any code, which says this of itself. */
function saying(text?: string): Uint8Array<ArrayBuffer> {
  const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const words = (word: string) => [...new TextEncoder().encode(word)];
  if (text === undefined) return Uint8Array.from(header);
  const section = [12, ...words("bosquet.game"), ...words(text)];
  return Uint8Array.from([...header, 0, section.length, ...section]);
}

function refused(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return startModule(bytes, "tide").then(
    () => "",
    (error: unknown) => {
      expect(error).toBeInstanceOf(EngineError);
      return (error as EngineError).reason;
    },
  );
}

test.each([
  ["what is no module", Uint8Array.from([1, 2, 3]), "module"],
  ["a module of something else", saying(), "module"],
  ["one that names no game", saying("1"), "module"],
  ["one of another version", saying(`${FORMAT + 1} tide`), "module"],
  ["one of another game", saying(`${FORMAT} dunes`), "game"],
  ["one without memory", saying(`${FORMAT} tide`), "module"],
])("%s is refused", async (_, bytes, reason) => expect(await refused(bytes)).toBe(reason));
