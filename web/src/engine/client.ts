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

/** Load the engine of a game, in a worker of its own or at the other end of a wire. Raises EngineError. */
export async function open(source: Source, wire: Wire = started()): Promise<Client> {
  const client = new Client(wire);
  try {
    await client.load(absolute(source));
  } catch (error) {
    client.close();
    throw error;
  }
  return client;
}

/** The same with addresses that are not relative to that of the page: a worker has another one. */
function absolute({ weights = [], ...source }: Source): Source {
  const from = <One extends { address: string }>(one: One) => ({
    ...one,
    address: new URL(one.address, globalThis.location?.href).href,
  });
  return { ...from(source), weights: weights.map(from) };
}

function started(): Worker {
  try {
    return new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  } catch (error) {
    throw new EngineError("unavailable", `the browser starts no worker: ${String(error)}`);
  }
}

function errorOf({ reason, message, ply, why }: Refused): EngineError {
  return new EngineError(reason, message, { ply, why });
}

function cancelled(name: string): EngineError {
  return new EngineError("cancelled", `${name}: the answer is no longer wanted`);
}
