// A low screen, such as that of a phone on its side: all of its height is for the board.

import { MediaQuery } from "svelte/reactivity";

const low = new MediaQuery("height < 30rem");

/** The head of the page is above a low screen, and a scroll away. */
export function headAbove(place: HTMLElement): void {
  if (low.current) place.scrollIntoView();
}
