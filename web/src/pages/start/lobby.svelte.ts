// The tables to go on with and to join, asked for anew every few seconds while the page is looked at.

import { ApiError, lobby } from "../../server/api";
import type { Lobby } from "../../server/messages";
import { turnsWaiting } from "../../server/turnsWaiting.svelte";

const PAUSE = 5000;

export class LobbyWatch {
  /** What the server said last; nothing before its first answer. */
  news = $state.raw<Lobby>();
  offline = $state(false);
  /** Whether another device has signed this one out: then the visitor is somebody new. */
  signedOut = $state(false);

  constructor() {
    $effect(() => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      let left = false;
      const ask = async () => {
        clearTimeout(timer);
        if (!document.hidden) await this.#refresh();
        if (!left && !document.hidden) timer = setTimeout(ask, PAUSE);
      };
      const back = () => void (document.hidden || ask());
      void ask();
      document.addEventListener("visibilitychange", back);
      return () => {
        left = true;
        clearTimeout(timer);
        document.removeEventListener("visibilitychange", back);
      };
    });
  }

  async #refresh(): Promise<void> {
    try {
      this.news = await lobby();
      turnsWaiting.meet(this.news.mine);
      this.offline = false;
    } catch (error) {
      if (error instanceof ApiError && error.code === "revoked") this.signedOut = true;
      else this.offline = true;
    }
  }
}
