// Whether somebody is here for the first time. The guided game is offered first until a table was opened, or joined.

const SEEN = "bosquet.played";

export function isFirstVisit(): boolean {
  return localStorage.getItem(SEEN) === null;
}

export function hasPlayed(): void {
  localStorage.setItem(SEEN, "yes");
}
