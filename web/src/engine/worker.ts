// The worker of an engine.

import { Host } from "./host.ts";
import type { Request } from "./protocol.ts";

const host = new Host((answer) => postMessage(answer));
addEventListener("message", ({ data }: MessageEvent<Request>) => void host.hear(data));
