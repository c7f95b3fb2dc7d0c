import { expect, test, vi } from "vitest";
import { EngineError } from "../../engine/errors";
import type { Turn } from "../../engine/protocol";
import { Thinking } from "./thinking.svelte";

const ask = vi.hoisted(() => vi.fn());
vi.mock("../../core/engines", () => ({ openEngine: async () => ({ ask, close: () => undefined }) }));

async function order(...hints: [win: number | null, points: number][]): Promise<number[]> {
  const thinking = new Thinking("any");
  ask.mockResolvedValueOnce(hints.map(([win, points]) => ({ moves: [], data: [], win, points })));
  ask.mockRejectedValueOnce(new EngineError("failed", "after a round"));
  await thinking.think(async () => ({ seat: 0 }) as Turn, false);
  return thinking.found.map(({ points }) => points);
}

test("of choices whose chances look equal the one with more points comes first", async () => {
  expect(await order([0.504, 3], [0.501, 8], [0.3, 20])).toEqual([8, 3, 20]);
  expect(await order([null, 4.2], [null, 9.1])).toEqual([9.1, 4.2]);
});

test("what is pointed at stays where it is until nobody points", async () => {
  const thinking = new Thinking("any");
  const hints = [[0.5], [0.7]].map((wins) => wins.map((win) => ({ moves: [], data: [], win, points: 0 })));
  ask.mockResolvedValueOnce(hints[0]);
  ask.mockImplementationOnce(async () => {
    thinking.hold(true);
    return hints[1];
  });
  ask.mockRejectedValueOnce(new EngineError("failed", "after two rounds"));
  await thinking.think(async () => ({ seat: 0 }) as Turn, false);
  expect(thinking.found).toEqual(hints[0]);
  thinking.hold(false);
  expect(thinking.found).toEqual(hints[1]);
});
