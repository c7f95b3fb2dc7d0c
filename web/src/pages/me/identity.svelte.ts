// Who the visitor is to the server: what it keeps of the identity, and what may be done about it.

import { ApiError, identity as read, rename } from "../../client/api";
import { isSomebodyNew } from "../../client/guest";
import type { Device, Identity } from "../../client/messages";
import { visitor } from "../../shell/name.svelte";
import { refusal } from "../../client/refusal";
import { locale, t } from "../../shell/words.svelte";

export class MyIdentity {
  now = $state.raw<Identity>();
  problem = $state("");
  busy = $state(false);

  /** The devices that are signed in, this one first. */
  readonly devices = $derived(
    (this.now?.devices ?? []).filter((one) => one.revoked === null).sort((a, b) => Number(b.here) - Number(a.here)),
  );

  /** Ask the server again. */
  async read(): Promise<void> {
    const now = await read();
    if (visitor.meet(now.name)) {
      await rename(visitor.spoken);
      visitor.share(visitor.spoken);
      now.name = visitor.spoken;
    }
    this.now = now;
  }

  /** Do something, then ask again; return whether it was done. What is refused is said. */
  async act(work: () => Promise<void>): Promise<boolean> {
    this.busy = true;
    this.problem = "";
    try {
      await work();
      await this.read();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.problem = refusal(error);
      if (isSomebodyNew(error.code)) await this.read().catch(() => {}); // as somebody new
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** Tell the server the name before another device or a phrase needs it. */
  async share(): Promise<void> {
    if (this.now?.name === visitor.spoken) return;
    await rename(visitor.spoken);
    visitor.share(visitor.spoken);
  }

  /** What a device is called, apart from every other one of the list. */
  nameOf(device: Device): string {
    const name = deviceName(device.browser, device.system);
    const signedIn = (this.now?.devices ?? []).filter((one) => one.revoked === null); // in the order of all devices
    const alike = signedIn.filter((one) => deviceName(one.browser, one.system) === name);
    return alike.length < 2 ? name : t("me.device_number", { device: name, n: alike.indexOf(device) + 1 });
  }
}

export function deviceName(browser: string | null, system: string | null): string {
  if (browser && system) return t("me.device", { browser, system });
  return browser ?? system ?? t("me.device_unknown");
}

/** A day of the server, `2026-11-22`, as the reader writes it. */
export function day(text: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeZone: "UTC" }).format(new Date(text));
}
