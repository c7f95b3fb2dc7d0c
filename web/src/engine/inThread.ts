// A wire to an engine in the same thread, where there are no workers: in Node, and in tests.

import type { Wire } from "./client.ts";
import { Host } from "./host.ts";

/** Both ends get copies of what is sent, as if a worker was between them. */
export function inThread(): Wire {
  const wire: Wire = { onmessage: null, postMessage: (request) => void host.hear(structuredClone(request)) };
  const host = new Host((answer) => wire.onmessage?.({ data: structuredClone(answer) } as MessageEvent));
  return wire;
}
