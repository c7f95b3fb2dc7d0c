// Puts a list of questions to engines, in Node and in browsers; `questions.py` makes the lists and compares the answers.

import { botMove, chosenMove } from "../../../web/src/engine/bots.ts";
import type { Client } from "../../../web/src/engine/client.ts";
import { EngineError } from "../../../web/src/engine/errors.ts";
import type { Question, Questions } from "../../../web/src/engine/protocol.ts";
import type { Settings } from "../../../web/src/engine/settings.ts";

/** A name and what is asked: a question of the protocol, `bot`, `named`, `tell` or `meanwhile`. Bytes are written as `{"bytes": base64}`. */
export type Asked = [string, unknown];
type Clients = readonly [Client, ...Client[]];

/** Answer all questions in their order. What the engine refuses is `{reason}`, and a result without an answer is null. */
export async function answerAll(
  clients: Clients,
  asked: readonly Asked[],
): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const [name, ask] of asked)
    answers.push(await answer(clients, name, withBytes(ask)));
  return answers;
}

async function answer(
  clients: Clients,
  name: string,
  ask: unknown,
): Promise<unknown> {
  try {
    if (name === "meanwhile") return await meanwhile(clients[0]);
    if (name === "tell") return await tell(clients[0], ask as string);
    if (name === "bot") return await bot(clients, ask as Bot);
    if (name === "named")
      return await botMove(clients, (ask as { bot: string }).bot);
    return await clients[0].ask(
      name as Question,
      ask as Questions[Question]["ask"],
    );
  } catch (error) {
    if (error instanceof EngineError)
      return {
        reason: error.reason,
        message: error.message,
        ...(error.ply !== undefined && { ply: error.ply }),
        ...(error.why && { why: error.why }),
      };
    throw error;
  }
}

interface Bot {
  seed: string;
  settings: Settings;
  engines: number;
}

async function bot(
  clients: Clients,
  { seed, settings, engines }: Bot,
): Promise<string> {
  return chosenMove(
    clients.slice(0, engines) as unknown as Clients,
    seed,
    settings,
  );
}

/** Return the viewer and the state of a position, and its text as it is written anew. */
async function tell(client: Client, text: string): Promise<unknown[]> {
  const { viewer, state } = await client.ask("readPosition", { text });
  await client.ask("resume", { state, seed: "1", moves: [] });
  const written = await client.ask("position", { viewer });
  return [viewer, btoa(String.fromCharCode(...state)), written];
}

/** Search, look and begin another search, which is cancelled; return what was answered first. */
async function meanwhile(client: Client): Promise<string[]> {
  const answered: string[] = [];
  const note = (name: string) => () => void answered.push(name);
  const stop = new AbortController();
  const [task] = await client.ask("tasks", { seed: "1", engines: 1 });
  const first = client
    .ask("search", { task: task!, settings: { simulations: 4000 } })
    .then(note("search"));
  const second = client.ask(
    "search",
    { task: task!, settings: { simulations: 1e8 } },
    stop.signal,
  );
  const view = client
    .ask("view", { viewer: 0, assistance: "full" })
    .then(note("view"));
  await view;
  stop.abort();
  await Promise.all([first, second.catch(note("cancelled"))]);
  return answered;
}

/** Return what is asked with its bytes as bytes. */
export function withBytes(ask: unknown): unknown {
  if (typeof ask !== "object" || ask === null) return ask;
  if (Array.isArray(ask)) return ask.map(withBytes);
  if ("bytes" in ask)
    return Uint8Array.from(atob(ask.bytes as string), (letter) =>
      letter.charCodeAt(0),
    );
  return Object.fromEntries(
    Object.entries(ask).map(([name, value]) => [name, withBytes(value)]),
  );
}
