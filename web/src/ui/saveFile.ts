// A file that the page has made, saved as one that is downloaded.

/** Milliseconds for which a browser may still read what it saves. */
const READ = 10_000;

export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), READ);
}
