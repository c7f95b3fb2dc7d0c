// Puts questions to engines in a page, and measures them there.

import { type Client, open } from "../../../web/src/engine/client.ts";
import type { Source } from "../../../web/src/engine/protocol.ts";
import { answerAll, type Asked } from "./questions.ts";

type Clients = [Client, ...Client[]];

/** Answer lists of questions, with as many engines, each in a worker. */
export async function run(source: Source, engines: number, scripts: readonly Asked[][]): Promise<unknown[][]> {
  const clients = (await Promise.all(Array.from({ length: engines }, () => open(source)))) as Clients;
  try {
    const answers = [];
    for (const asked of scripts) answers.push(await answerAll(clients, asked));
    return answers;
  } finally {
    for (const client of clients) client.close();
  }
}
