// A study of a finished game as it comes in: first what the coach says, then the luck receipt.

import { ApiError } from "../../client/api";
import type { Decision } from "../../client/messages";
import type { Found } from "./savedAnalyses.svelte";
import type { Begun, Judged, Line, Receipt } from "./lines";

export type PartName = "coach" | "luck";
export type Stage = "waiting" | "running" | "done" | "failed";

/** One of the two studies: how far it is, and what it said. */
export class Part {
  stage = $state<Stage>("waiting");
  begun = $state.raw<Begun>();
  done = $state(0);
  decisions = $state.raw<Decision[]>([]);
  judged = $state.raw<Judged>();
  receipt = $state.raw<Receipt>();
  problem = $state.raw<ApiError>();

  constructor(readonly name: PartName) {}

  /** Take what it says as it comes. */
  async run(lines: AsyncIterable<Line>, signal: AbortSignal): Promise<void> {
    this.stage = "running";
    this.done = 0;
    this.decisions = [];
    this.problem = undefined;
    try {
      for await (const line of lines) this.#hear(line);
      if (this.stage === "running") this.stage = this.judged || this.receipt ? "done" : "failed";
    } catch (error) {
      if (signal.aborted) return;
      this.problem = error instanceof ApiError ? error : undefined;
      this.stage = "failed";
    }
  }

  get found(): Found {
    return { begun: this.begun, decisions: this.decisions, judged: this.judged, receipt: this.receipt };
  }

  /** Take what was found before. */
  restore({ begun, decisions = [], judged, receipt }: Found): void {
    this.begun = begun;
    this.decisions = decisions;
    this.judged = judged;
    this.receipt = receipt;
    this.stage = "done";
  }

  #hear(line: Line): void {
    switch (line.type) {
      case "begun":
        this.begun = line;
        break;
      case "step":
        this.done = line.done;
        if (line.decision) this.decisions = [line.decision, ...this.decisions]; // the last one is sent first
        break;
      case "judged":
        this.judged = line;
        break;
      case "receipt":
        this.receipt = line;
    }
  }
}
