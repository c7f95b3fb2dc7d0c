// Whether the reader asked the browser to save data; not every browser tells.

export function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
