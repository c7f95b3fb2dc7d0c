// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { open } from "../../../engine/client";
import { GAMES, serveEngines } from "../../../engine/testing";
import type { Decision } from "../../../client/messages";
import { played } from "../../replay/played.testing";
import { mistakesOf, Question } from "./mistakes";

beforeEach(serveEngines);
afterEach(() => {
  vi.unstubAllGlobals();
});
const { signal } = new AbortController();

test("a seat is asked its own mistakes, the costliest first, and no more than five", () => {
  const decision = (seat: number, loss: number) => ({ seat, loss, best: [{}] }) as unknown as Decision;
  const all = [
    decision(0, 0.1),
    decision(1, 0.9),
    decision(0, 0),
    ...[0.2, 0.5, 0.3, 0.4, 0.6].map((n) => decision(0, n)),
  ];
  expect(mistakesOf(all, 0).map(({ loss }) => loss)).toEqual([0.6, 0.5, 0.4, 0.3, 0.2]);
});

test.each(GAMES)(
  "%s: a try is judged by the figures of the coach",
  async (game) => {
    const record = await played(game, 12);
    const client = await open({ address: `/engines/${game}`, game });
    await client.ask("read", { record });
    const count = await client.ask("decisions", null);
    let told: Decision | null = null;
    // The last decision may not be complete.
    for (let number = count - 2; number >= 0 && !told?.loss; number -= 1) {
      told = (await client.ask("weigh", { decision: number })) as Decision | null;
    }
    const question = new Question(client, record, told!);
    const right = await tried(question, told!.best[0]!.moves);
    expect(right?.loss).toBe(0);
    const again = await tried(question, told!.made.moves);
    expect(again).toEqual(told);
    expect(await question.place()).toMatchObject({ mine: told!.seat, path: [] });
  },
  60_000,
);

async function tried(question: Question, moves: readonly string[]): Promise<Decision | undefined> {
  await question.begin();
  let verdict: Decision | undefined;
  for (const move of moves) ({ verdict } = await question.play(move, signal));
  return verdict;
}
