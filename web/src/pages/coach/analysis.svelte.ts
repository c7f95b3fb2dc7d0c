// A study of a finished game as it comes in: first what the coach says, then the luck receipt.

import { ApiError, problemOf } from "../../server/api";
import type {
  AnalysisRequest,
  Decision,
  Judged,
  Receipt,
  ReplayRequest,
  Analysis as Line,
  AnalysisBegun,
} from "../../server/messages";
import { fetchAsGuest } from "../../server/guest";
import type { Found } from "./kept.svelte";
import { t } from "../../shell/words.svelte";

type GameRecord = ReplayRequest["record"];
export type Stage = "waiting" | "running" | "done" | "failed";

/** One of the two studies: how far it is, and what it said. */
export class Part {
  stage = $state<Stage>("waiting");
  begun = $state.raw<AnalysisBegun>();
  done = $state(0);
  decisions = $state.raw<Decision[]>([]);
  judged = $state.raw<Judged>();
  receipt = $state.raw<Receipt>();
  problem = $state.raw<ApiError>();

  constructor(readonly address: string) {}

  async run(record: GameRecord, table: string | undefined, signal: AbortSignal): Promise<void> {
    this.stage = "running";
    this.done = 0;
    this.decisions = [];
    this.problem = undefined;
    try {
      for await (const line of lines(this.address, { record, ...(table && { table }) }, signal)) this.#hear(line);
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
        break;
      case "failed":
        this.stage = "failed";
    }
  }
}

/** The lines of an answer as they come. It ends on the server, too, when it is given up here. */
async function* lines(address: string, asked: AnalysisRequest, signal: AbortSignal): AsyncGenerator<Line> {
  let answer: Response;
  try {
    answer = await fetchAsGuest(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(asked),
      signal,
    });
  } catch {
    throw new ApiError("offline", t("common.offline"));
  }
  if (!answer.ok || !answer.body) throw await problemOf(answer);
  // Chromium may report an answer whose lines a script reads to the end as aborted, unless it reads a copy itself.
  void answer
    .clone()
    .text()
    .catch(() => undefined);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) yield JSON.parse(part) as Line;
  }
}
