// A file that the page has made, saved as one that is downloaded.

export function saveFile(file: File): void {
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: address, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
