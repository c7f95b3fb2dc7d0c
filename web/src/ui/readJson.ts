// A file of JSON that somebody opens, such as that of a box.

/** Bytes of a file, at most. */
const MOST_BYTES = 65_536;

/** The object that a file holds; undefined where it holds none, is too large, or can't be read. */
export async function readJson(file: File): Promise<Record<string, unknown> | undefined> {
  if (file.size > MOST_BYTES) return undefined;
  try {
    const content: unknown = JSON.parse(await file.text());
    const isObject = typeof content === "object" && content !== null && !Array.isArray(content);
    return isObject ? (content as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
