// The page's end of an engine: questions to a worker, as promises.

import { EngineError } from "./errors.ts";
import type { Facts } from "./facts.ts";
import type { Answer, Question, Questions, Refused, Request, Source } from "./protocol.ts";

/** The worker as far as it is used here; a test may put two ports of a channel in its place. */
export interface Wire {
  postMessage(request: Request): void;
  onmessage: ((message: MessageEvent<Answer>) => void) | null;
  onerror?: ((error: ErrorEvent) => void) | null;
  terminate?: () => void;
}

/** Something that waits for an answer. */
interface Waiting {
  resolve: (answer: never) => void;
  reject: (error: EngineError) => void;
}

/** A worker with the engine of one game. It answers questions in their order, and others while it searches. */
export class Client {
  private readonly wire: Wire;
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;
  private ended: EngineError | undefined;
  private said: Facts | undefined;

  constructor(wire: Wire) {
    this.wire = wire;
    wire.onmessage = ({ data }) => this.settle(data);
    wire.onerror = ({ message }) => this.close(new EngineError("failed", message || "the worker of the engine ended"));
  }

  /** Load the engine of a game; what it says of the game is `facts` then. Raises EngineError. */
  async load(source: Source): Promise<void> {
    this.said = await this.ask("load", source);
  }

  get facts(): Facts {
    if (!this.said) throw new EngineError("argument", "no engine is loaded");
    return this.said;
  }

  /** Ask. Raises EngineError; as `cancelled` at once where the signal says so. */
  ask<Name extends Question>(
    name: Name,
    ask: Questions[Name]["ask"],
    signal?: AbortSignal,
  ): Promise<Questions[Name]["answer"]> {
    if (this.ended) return Promise.reject(this.ended);
    if (signal?.aborted) return Promise.reject(cancelled(name));
    const id = (this.last += 1);
    return new Promise<Questions[Name]["answer"]>((resolve, reject) => {
      const cancel = () => {
        if (!this.waiting.delete(id)) return;
        this.wire.postMessage({ cancel: id });
        reject(cancelled(name));
      };
      signal?.addEventListener("abort", cancel, { once: true });
      const done = () => signal?.removeEventListener("abort", cancel);
      this.waiting.set(id, {
        resolve: (answer) => (done(), resolve(answer)),
        reject: (error) => (done(), reject(error)),
      });
      this.wire.postMessage({ id, name, ask } as Request);
    });
  }

  /** End the worker; what waits for an answer is refused. */
  close(error: EngineError = new EngineError("cancelled", "the engine was closed")): void {
    this.ended ??= error;
    this.wire.terminate?.();
    for (const { reject } of this.waiting.values()) reject(this.ended);
    this.waiting.clear();
  }

  private settle(answer: Answer): void {
    const waiting = this.waiting.get(answer.id);
    if (!waiting) return;
    this.waiting.delete(answer.id);
    if ("error" in answer) waiting.reject(errorOf(answer.error));
    else waiting.resolve(answer.answer as never);
  }
}

/** Start a worker and load the engine of a game. Raises EngineError. */
export async function open(source: Source): Promise<Client> {
  const client = new Client(new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }));
  try {
    await client.load({ ...source, address: new URL(source.address, location.href).href });
  } catch (error) {
    client.close();
    throw error;
  }
  return client;
}

function errorOf({ reason, message, ply }: Refused): EngineError {
  return new EngineError(reason, message, ply);
}

function cancelled(name: string): EngineError {
  return new EngineError("cancelled", `${name}: the answer is no longer wanted`);
}
