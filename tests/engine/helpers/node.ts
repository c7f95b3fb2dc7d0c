// Answers lists of questions in Node: `node node.ts MODULE GAME ENGINES`, a list as JSON in each line of the input, and the
// answers in each line of the output. The page's and the worker's end of an engine are those of the page.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Client, type Wire } from "../../../web/src/engine/client.ts";
import { Host } from "../../../web/src/engine/host.ts";
import type { Answer, Request } from "../../../web/src/engine/protocol.ts";
import { answerAll, type Asked } from "./questions.ts";

/** A worker in the same thread. */
function wire(): Wire {
  const ours: Wire = {
    onmessage: null,
    postMessage: (request: Request) => void host.hear(structuredClone(request)),
  };
  const host = new Host((answer: Answer) =>
    ours.onmessage?.({ data: structuredClone(answer) } as MessageEvent<Answer>),
  );
  return ours;
}

const [file = "", game = "", engines = "1"] = process.argv.slice(2);
const address = `data:application/wasm;base64,${readFileSync(file).toString("base64")}`;
const clients = Array.from(
  { length: Number(engines) },
  () => new Client(wire()),
);
for (const client of clients) await client.ask("load", { address, game });
for await (const line of createInterface({ input: process.stdin })) {
  const answers = await answerAll(
    clients as [Client, ...Client[]],
    JSON.parse(line) as Asked[],
  );
  process.stdout.write(`${JSON.stringify(answers)}\n`);
}
