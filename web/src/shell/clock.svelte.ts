// What time it is at the server, by which all deadlines are kept: the clock of a device may be hours off, be set, or have
// slept. The server says the time with each of its answers.

/** Milliseconds that the clocks may differ: an answer says whole seconds, and takes a while. */
const CLOSE = 2500;

class ServerClock {
  /** How much the server's clock is ahead of the device's, in milliseconds. */
  #ahead = $state(0);
  /** What the device's clock and that of the page, which nobody sets, said last. */
  #device = Date.now();
  #page = performance.now();

  /** Milliseconds since 1970. */
  now(): number {
    return Date.now() + this.#ahead;
  }

  /** Set it by an answer that comes from the server itself, and was kept nowhere. */
  hear(answer: Response): void {
    const told = Date.parse(answer.headers.get("date") ?? "");
    const fresh = answer.headers.get("cache-control")?.includes("no-store");
    if (!fresh || Number.isNaN(told)) return;
    const ahead = told + 500 - Date.now();
    if (Math.abs(ahead - this.#ahead) > CLOSE) this.#ahead = Math.abs(ahead) > CLOSE ? ahead : 0;
  }

  /** Whether the clock of the device was set since this was asked last, or the device has slept. */
  jumped(): boolean {
    const passed = Date.now() - this.#device - (performance.now() - this.#page);
    this.#device = Date.now();
    this.#page = performance.now();
    return Math.abs(passed) > CLOSE;
  }
}

export const clock = new ServerClock();
