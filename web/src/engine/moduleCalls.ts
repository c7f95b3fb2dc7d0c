// Calls of a module with their texts and numbers. It knows no layout of the memory, only where the module says that its
// parts lie.

import { EngineError } from "./errors.ts";
import type { Calls } from "./module.ts";

export class ModuleCalls {
  protected readonly memory: ArrayBuffer;
  private readonly calls: Calls;
  private readonly decoder = new TextDecoder();
  private readonly encoder = new TextEncoder();

  constructor(calls: Calls, memory: ArrayBuffer) {
    this.calls = calls;
    this.memory = memory;
  }

  protected has(name: string): boolean {
    return name in this.calls;
  }

  call(name: string, ...numbers: number[]): number {
    const called = this.calls[name];
    if (!called) throw new EngineError("module", `the engine has no ${name}`);
    return called(...numbers);
  }

  /** Bytes of a part. */
  size(name: string): number {
    return this.call(`${name}_size`);
  }

  part(name: string): Uint8Array {
    return new Uint8Array(this.memory, this.call(`${name}_at`), this.size(name));
  }

  integers(name: string): Int32Array {
    return new Int32Array(this.memory, this.call(`${name}_at`), this.size(name) / Int32Array.BYTES_PER_ELEMENT);
  }

  reals(name: string): Float64Array {
    return new Float64Array(this.memory, this.call(`${name}_at`), this.size(name) / Float64Array.BYTES_PER_ELEMENT);
  }

  /** Write a text for a call to read; return its length. Raises EngineError where it has no room. */
  protected write(text: string): number {
    return this.put(this.encoder.encode(text));
  }

  /** Write as much of a text as there is room for; return its length. */
  protected fill(text: string): number {
    return this.encoder.encodeInto(text, this.part("text_bytes")).written;
  }

  protected put(bytes: Uint8Array): number {
    const room = this.part("text_bytes");
    if (bytes.length > room.length) throw new EngineError("overflow", `a text of ${bytes.length} bytes has no room`);
    room.set(bytes);
    return bytes.length;
  }

  /** Return the text that a call has written. Raises EngineError where it had no room. */
  protected read(length: number): string {
    const room = this.part("text_bytes");
    if (length > room.length) throw new EngineError("overflow", `a text of ${length} bytes has no room`);
    return this.decoder.decode(room.subarray(0, length));
  }
}
