// Answers lists of questions in Node: `node node.ts MODULE GAME ENGINES`, a list as JSON in each line of the input, and the
// answers in each line of the output. The page's and the worker's end of an engine are those of the page.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { type Client, open } from "../../../web/src/engine/client.ts";
import { inThread } from "../../../web/src/engine/inThread.ts";
import { answerAll, type Asked } from "./questions.ts";

const [file = "", game = "", engines = "1"] = process.argv.slice(2);
const address = `data:application/wasm;base64,${readFileSync(file).toString("base64")}`;
const clients: Client[] = [];
for (let i = 0; i < Number(engines); i++)
  clients.push(await open({ address, game }, inThread()));
for await (const line of createInterface({ input: process.stdin })) {
  const answers = await answerAll(
    clients as [Client, ...Client[]],
    JSON.parse(line) as Asked[],
  );
  process.stdout.write(`${JSON.stringify(answers)}\n`);
}
