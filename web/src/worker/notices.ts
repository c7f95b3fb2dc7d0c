// Notices: what is shown when the server says whose turn it is, and what a press on it does. Addresses are those of the
// folder that the worker lies in.

import type { Notice } from "../client/messages";
import type { NoticeWords } from "./build";

declare const __WORDS__: NoticeWords;

const STOP = "stop";

/** Show a notice; every message of a push service has to be shown. */
export async function show(
  scope: ServiceWorkerGlobalScope,
  data: PushMessageData | null,
  language: Promise<string | undefined>,
): Promise<void> {
  const notice = data?.json() as Notice;
  const spoken = (await language) ?? notice.language;
  const words = __WORDS__[spoken] ?? __WORDS__["en"]!;
  const { tables, total, invited = 0, stood_in: played = 0 } = notice;
  const turns = total - invited - played;
  const [first] = tables;
  const lines = tables.map((table) => {
    const { title, deadline } = table;
    if (table.invited) return turns || played ? filled(words.push_invited, { game: title }) : title;
    if (table.kind === "stood in") return turns || invited ? filled(words.push_played, { game: title }) : title;
    const until = table.kind === "reminder" ? words.push_reminder : words.push_until;
    return deadline === null ? title : filled(until, { game: title, when: when(deadline, spoken) });
  });
  const [one, several] = turns
    ? [words.push_turn, words.push_turns]
    : played
      ? [words.push_stood_in, words.push_stood_ins]
      : [words.push_invitation, words.push_invitations];
  const count = turns || played || invited;
  await scope.registration.showNotification(count > 1 ? filled(several, { n: count }) : one, {
    body: [...lines, ...(total > tables.length ? ["…"] : [])].join("\n"),
    lang: spoken,
    tag: "turn",
    icon: "icons/192.png",
    // An invitation is answered on the start page.
    data: total === 1 && first && !first.invited ? `table/${encodeURIComponent(first.table)}` : ".",
    actions: [{ action: STOP, title: words.push_stop }],
  } as NotificationOptions);
}

/** Open the table of a notice, or stop all of them. */
export async function clicked(scope: ServiceWorkerGlobalScope, event: NotificationEvent): Promise<void> {
  event.notification.close();
  if (event.action === STOP) return stop(scope);
  const address = new URL(event.notification.data as string, scope.location.href).href;
  const open = await scope.clients.matchAll({ type: "window" });
  const there = open.find(({ url }) => url.split("#")[0] === address);
  await (there ? there.focus() : scope.clients.openWindow(address));
}

/** Subscribe again where the push service has ended the subscription. */
export async function renew(
  scope: ServiceWorkerGlobalScope,
  { oldSubscription, newSubscription }: PushSubscriptionChangeEvent,
  language: Promise<string | undefined>,
): Promise<void> {
  const options = oldSubscription?.options;
  const made = newSubscription ?? (options && (await scope.registration.pushManager.subscribe(options)));
  const { endpoint, keys } = made?.toJSON() ?? {};
  const spoken = (await language) ?? scope.navigator.language.slice(0, 2);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { p256dh, auth } = keys ?? {};
  await post("subscribe", { endpoint, p256dh, auth, language: spoken in __WORDS__ ? spoken : "en", zone });
}

async function stop(scope: ServiceWorkerGlobalScope): Promise<void> {
  const subscription = await scope.registration.pushManager.getSubscription();
  // The server may be away: then the push service tells it, once there is a next notice.
  await Promise.allSettled([subscription?.unsubscribe(), post("unsubscribe", { all: true })]);
}

function post(what: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`api/me/notices/${what}`, { method: "POST", headers, body: JSON.stringify(body) });
}

function filled(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

function when(seconds: number, language: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  return format.format(new Date(seconds * 1000));
}
