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
  /** A text that is no position: the message says where and why. It is for the people who wrote the text. */
  | "position"
  /** A move that is not legal now, or a game that is over. */
  | "move"
  /** A record that is not valid, or a game with the real box that cannot be. */
  | "record"
  /** The caller no longer wants the answer. */
  | "cancelled"
  /** The code of the module ended in an error, or its worker did. The engine must be opened anew. */
  | "failed";

/** Why a move is illegal, for a page that says it in its own language: `Why` of `server/base/messages.py`. */
export interface Why {
  /** Which sentence it is, in a word of the game. */
  key: string;
  /** What the sentence names: cells, pawns, cards. */
  about: Record<string, string>;
}

export class EngineError extends Error {
  readonly reason: Reason;
  /** In which move of a record it is. */
  readonly ply: number | undefined;
  /** Why the move is illegal, where the game says so. */
  readonly why: Why | undefined;

  constructor(reason: Reason, message: string, { ply, why }: { ply?: number | undefined; why?: Why | undefined } = {}) {
    super(message);
    this.ply = ply;
    this.why = why;
    this.name = "EngineError";
    this.reason = reason;
  }
}

/** Any error as one of an engine. A trap of WebAssembly, such as an access out of bounds, is `failed`. */
export function asEngineError(error: unknown, reason: Reason = "failed"): EngineError {
  if (error instanceof EngineError) return error;
  return new EngineError(reason, error instanceof Error ? error.message : String(error));
}
