// The tables to go on with and to join, asked for anew every few seconds while the page is looked at.

import { ApiError, lobby } from "../../client/api";
import { type NewGuest, isSomebodyNew } from "../../client/guest";
import type { Lobby } from "../../client/messages";
import { turnsWaiting } from "../../client/turnsWaiting.svelte";

const PAUSE = 5000;

export class LobbyWatch {
  /** What the server said last; nothing before its first answer. */
  news = $state.raw<Lobby>();
  offline = $state(false);
  /** Why the visitor is somebody new, where another device has signed this one out or the visitor was erased. */
  gone = $state<NewGuest>();
  /** Kept once the server was asked for the first time, whatever it said. */
  readonly asked: Promise<void>;

  constructor() {
    let answered: () => void;
    this.asked = new Promise((done) => (answered = done));
    $effect(() => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      let left = false;
      const ask = async () => {
        clearTimeout(timer);
        if (!document.hidden) await this.#refresh().then(answered);
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
      const code = error instanceof ApiError ? error.code : undefined;
      if (isSomebodyNew(code)) this.gone = code;
      else this.offline = true;
    }
  }
}
