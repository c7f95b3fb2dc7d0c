// Whether this browser is told that it is one's turn: what the server says of it, and what the browser allows.

import {
  notices as read,
  setQuiet,
  subscribeToNotices as subscribe,
  unsubscribeFromNotices as unsubscribe,
} from "../../client/api";
import type { NoticeSettings, QuietHours } from "../../client/messages";
import { refusalOf } from "../../client/refusal";
import { language, t } from "../../shell/words.svelte";
import { ableToNotify } from "../../shell/notify";
import { workerHere, workerReady } from "../../shell/worker";

export class MyNotices {
  now = $state.raw<NoticeSettings>();
  /** Whether the browser has a subscription, which may have ended without the server knowing. */
  subscribed = $state(false);
  busy = $state(false);
  problem = $state("");
  stopped = $state(false);
  /** Whether the browser has asked the visitor, who has not answered. */
  asking = $state(false);

  readonly here = $derived(this.subscribed && !!this.now?.here);
  /** How many other devices are told. */
  readonly others = $derived(this.now ? this.now.devices - Number(this.now.here) : 0);

  /** Whether anything is sent anywhere, or was asked for. */
  readonly told = $derived(!!this.now && (this.now.devices > 0 || !!this.now.mail?.address));

  static able(): boolean {
    return ableToNotify();
  }

  async read(): Promise<void> {
    this.now = await read();
    const registration = MyNotices.able() ? await workerHere() : undefined;
    this.subscribed = !!(await registration?.pushManager.getSubscription());
  }

  /** Asks for permission, so only after a press. */
  start(): Promise<void> {
    return this.#act(async () => {
      const settings = this.now;
      if (!settings) return;
      this.asking = Notification.permission === "default";
      const answer = await Notification.requestPermission();
      this.asking = false;
      if (answer !== "granted") {
        this.problem = t("notices.denied");
        return;
      }
      const pushManager = (await workerReady())?.pushManager;
      await (await pushManager?.getSubscription())?.unsubscribe(); // it may be of another key
      const made = await pushManager
        ?.subscribe({ userVisibleOnly: true, applicationServerKey: settings.key })
        .catch(() => undefined);
      const { endpoint, keys } = made?.toJSON() ?? {};
      if (!endpoint || !keys) {
        this.problem = t("notices.failed");
        return;
      }
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      const { p256dh = "", auth = "" } = keys;
      await subscribe({ endpoint, p256dh, auth, language: language(), zone });
    });
  }

  stop(all: boolean): Promise<void> {
    return this.#act(async () => {
      await unsubscribe({ all });
      const registration = await workerHere();
      await (await registration?.pushManager?.getSubscription())?.unsubscribe();
      this.stopped = true;
    });
  }

  /** Change the quiet hours; those of the browser's time zone count from now on. */
  quiet(hours: Pick<QuietHours, "start" | "end">): Promise<void> {
    return this.#act(() => setQuiet({ ...hours, zone: Intl.DateTimeFormat().resolvedOptions().timeZone }));
  }

  async #act(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    this.problem = "";
    this.stopped = false;
    try {
      await work();
      await this.read();
    } catch (error) {
      this.problem = refusalOf(error);
    } finally {
      this.busy = false;
    }
  }
}
