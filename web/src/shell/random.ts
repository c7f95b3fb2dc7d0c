// What nobody can guess, drawn by what a page over plain HTTP has, too: `crypto.randomUUID` is not there.

/** A number of random bytes, in hexadecimal digits. */
export function randomHex(bytes: number): string {
  const drawn = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(drawn, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
