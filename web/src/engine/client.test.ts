import { expect, test } from "vitest";
import { Client, type Wire } from "./client";
import { EngineError } from "./errors";
import type { Answer, Request } from "./protocol";

/** A client, and the other end of its wire. */
function wired(): { client: Client; sent: Request[]; answer: (answer: Answer) => void; ended: () => boolean } {
  const sent: Request[] = [];
  let over = false;
  const wire: Wire = {
    onmessage: null,
    postMessage: (request) => void sent.push(request),
    terminate: () => (over = true),
  };
  const client = new Client(wire);
  const answer = (data: Answer) => wire.onmessage?.({ data } as MessageEvent<Answer>);
  return { client, sent, answer, ended: () => over };
}

test("answers come in any order", async () => {
  const { client, sent, answer } = wired();
  const legal = client.ask("legal", null);
  const sheet = client.ask("sheet", null);
  expect(sent).toEqual([
    { id: 1, name: "legal", ask: null },
    { id: 2, name: "sheet", ask: null },
  ]);
  answer({ id: 2, answer: "{}" });
  answer({ id: 1, answer: ["a1"] });
  expect(await Promise.all([legal, sheet])).toEqual([["a1"], "{}"]);
});

test("what is refused is an error with its reason", async () => {
  const { client, answer } = wired();
  const undo = client.ask("undo", null);
  answer({ id: 1, error: { reason: "move", message: "nothing to take back" } });
  await expect(undo).rejects.toEqual(new EngineError("move", "nothing to take back"));
});

test("what is cancelled is refused at once, and its answer ignored", async () => {
  const { client, sent, answer } = wired();
  const stop = new AbortController();
  const legal = client.ask("legal", null, stop.signal);
  stop.abort();
  await expect(legal).rejects.toMatchObject({ reason: "cancelled" });
  expect(sent.at(-1)).toEqual({ cancel: 1 });
  answer({ id: 1, answer: [] });
  await expect(client.ask("legal", null, stop.signal)).rejects.toMatchObject({ reason: "cancelled" });
  expect(sent).toHaveLength(2);
});

test("a signal that comes after the answer cancels nothing", async () => {
  const { client, sent, answer } = wired();
  const stop = new AbortController();
  const legal = client.ask("legal", null, stop.signal);
  answer({ id: 1, answer: [] });
  await legal;
  stop.abort();
  expect(sent).toHaveLength(1);
});

test("whatever waits is refused when the engine is closed, and whatever comes later", async () => {
  const { client, ended } = wired();
  const legal = client.ask("legal", null);
  client.close();
  await expect(legal).rejects.toMatchObject({ reason: "cancelled" });
  await expect(client.ask("legal", null)).rejects.toMatchObject({ reason: "cancelled" });
  expect(ended()).toBe(true);
});
