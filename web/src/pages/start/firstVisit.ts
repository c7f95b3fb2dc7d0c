// Whether somebody is here for the first time. The guided game is offered first until a table was opened, or joined.

import { device } from "../../shell/store";

const SEEN = "bosquet.played";

export function isFirstVisit(): boolean {
  return device.get(SEEN) === null;
}

export function hasPlayed(): void {
  device.set(SEEN, "yes");
}
