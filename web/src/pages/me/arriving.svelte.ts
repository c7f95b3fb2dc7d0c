// How this device becomes one of somebody: tried once, and again if tables would be given up and the visitor agrees.

import { ApiError } from "../../client/api";
import { visitor } from "../../shell/name.svelte";
import { refusal } from "../../client/refusal";
import { t } from "../../shell/words.svelte";
import { forgetKept } from "../../shell/worker";
import type { MyIdentity } from "./identity.svelte";

export class Arriving {
  /** Whether the visitor is asked about the tables of somebody else. */
  asked = $state(false);
  problem = $state("");
  busy = $state(false);
  done = $state(false);

  constructor(
    readonly me: MyIdentity,
    private readonly claim: (giveUp: boolean) => Promise<void>,
  ) {}

  async go(giveUp = false): Promise<void> {
    this.busy = true;
    this.problem = "";
    try {
      await this.claim(giveUp);
      await forgetKept();
      visitor.forget();
      await this.me.read();
      this.me.problem = ""; // that this device was signed out is true no longer
      this.done = true;
      this.asked = false;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.asked = error.code === "other tables";
      if (!this.asked) this.problem = error.code === "malformed" ? t("me.enter_misread") : refusal(error);
    } finally {
      this.busy = false;
    }
  }
}
