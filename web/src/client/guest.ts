// Who this page is where its browser keeps no cookie: the server then tells the value of the cookie, which the page sends
// with each request until its tab is closed.

import { at } from "../shell/base";
import { clock } from "../shell/clock.svelte";
import { hasServer } from "../shell/site";
import { tab } from "../shell/store";

const STORED = "bosquet.guest";
const HEADER = "x-bosquet-guest";
/** What a WebSocket speaks; it can't send a header, but a second subprotocol. */
const SPOKEN = "bosquet";

/** What a value of a cookie looks like: other texts may not be sent. */
const VALUE = /^[\w.-]{40,128}$/;

function told(): string | null {
  const kept = tab.get(STORED);
  return kept && VALUE.test(kept) ? kept : null;
}

/** Whether the guest is known by a cookie, as far as the page has been told. */
export function hasCookie(): boolean {
  return told() === null;
}

export type NewGuest = "revoked" | "erased";

/** Whether a refusal says that the guest of this page is gone: the server has made it another one. */
export function isSomebodyNew(code: string | undefined): code is NewGuest {
  return code === "revoked" || code === "erased";
}

/** Ask the server for something, as the guest of this page. Rejects where it can't be reached, or there is none. */
export async function fetchAsGuest(address: string, request: RequestInit = {}): Promise<Response> {
  if (!hasServer) throw new TypeError("this site has no server");
  const sent = told();
  const headers = new Headers(request.headers);
  if (sent) headers.set(HEADER, sent);
  const answer = await fetch(at(address), { ...request, headers });
  clock.hear(answer);
  const given = answer.headers.get(HEADER);
  // Of several first requests at once each is told another guest: the first one counts, or one that has done something.
  const done = sent === null && request.method === "POST";
  if (given && (done || told() === sent)) tab.set(STORED, given);
  return answer;
}

/** The subprotocols of a WebSocket of the guest. */
export function subprotocols(): string[] {
  const sent = told();
  return sent ? [SPOKEN, sent] : [];
}
