// A file on the visitor's disk.

/** Milliseconds for which a browser may still read what it saves. */
const READ = 10_000;

/** Save something as a file. */
export function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), READ);
}
