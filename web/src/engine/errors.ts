// What an engine refuses.

/** What is wrong: for a caller who acts on it. The message is for people who develop. */
export type Reason =
  /** The browser runs no WebAssembly, or nothing came from the address. */
  | "unavailable"
  /** What came from the address is no engine, or one of another version of this page. */
  | "module"
  /** It is the engine of another game. */
  | "game"
  /** A text is longer than its room. */
  | "overflow"
  /** A state, a seat, a setting that there is not. */
  | "argument"
  /** A move that is not legal now, or a game that is over. */
  | "move"
  /** A record that is not valid. */
  | "record"
  /** The caller no longer wants the answer. */
  | "cancelled"
  /** The code of the module ended in an error, or its worker did. The engine must be opened anew. */
  | "failed";

export class EngineError extends Error {
  readonly reason: Reason;
  /** In which move of a record it is. */
  readonly ply: number | undefined;

  constructor(reason: Reason, message: string, ply?: number) {
    super(message);
    this.ply = ply;
    this.name = "EngineError";
    this.reason = reason;
  }
}

/** Any error as one of an engine. A trap of WebAssembly, such as an access out of bounds, is `failed`. */
export function engineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  return new EngineError("failed", error instanceof Error ? error.message : String(error));
}
