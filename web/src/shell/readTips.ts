// Whether the tips of a game were read in this browser: until then they are offered after a game.

import { device } from "./store";

const READ = "bosquet.tips";

export function readTips(game: string): boolean {
  return device.get(READ)?.split(" ").includes(game) ?? false;
}

export function hasReadTips(game: string): void {
  if (!readTips(game)) device.set(READ, [device.get(READ) ?? "", game].join(" ").trim());
}
