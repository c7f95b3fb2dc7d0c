// Files of the server that only some guests get.

import { saveFile } from "../ui/saveFile";
import { within } from "../shell/base";
import { fetchAsGuest, hasCookie } from "./guest";

/**
 * For links: `<a href="/api/me" download onclick={downloadAsGuest}>`. The browser follows one by itself with the guest's
 * cookie; where there is none, the page says who asks.
 */
export async function downloadAsGuest(event: MouseEvent & { currentTarget: HTMLAnchorElement }): Promise<void> {
  if (hasCookie()) return;
  event.preventDefault();
  const { href, pathname, search, download } = event.currentTarget;
  const answer = await fetchAsGuest(within({ pathname, search, hash: "" }));
  if (!answer.ok) return location.assign(href); // the browser says what is wrong
  const [, named = "bosquet.json"] = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "") ?? [];
  saveFile(await answer.blob(), download || named);
}
