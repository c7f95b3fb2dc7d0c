// Whether this tab leads a review: it goes on when it is loaded again, unless somebody else leads by then.

import { tab } from "../../shell/store";

const LED = "bosquet.review";

export function keepLeading(review: string, leads: boolean): void {
  if (leads) tab.set(LED, review);
  else if (ledBefore(review)) tab.remove(LED);
}

export function ledBefore(review: string): boolean {
  return tab.get(LED) === review;
}
