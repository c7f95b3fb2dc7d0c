// What the coach says of a game, and the luck of its deal, worked out by engines in the page: `engine/judge.ts` weighs
// each decision.

import type { Client } from "../../engine/client";
import type { Facts } from "../../engine/facts";
import type { Decision } from "../../engine/protocol";
import { ApiError } from "../../client/api";
import type { Decision as Told } from "../../client/messages";
import type { Opened } from "../replay/study";
import { type Begun, type Judged, type Line, peopleIn } from "./lines";

/**
 * Yield every decision of a game as the coach sees it, and what they come to. The last decision comes first: there the
 * least is left to be simulated, so that the first words come soon. Each of the engines has read the record. Raises
 * ApiError, EngineError.
 */
export async function* coached(
  opened: Opened,
  engines: readonly [Client, ...Client[]],
  signal: AbortSignal,
): AsyncGenerator<Line> {
  if (!opened.turn.over) throw new ApiError("not now", "the game is not over");
  const steps = await opened.client.ask("decisions", null, signal);
  yield begun(opened, steps);
  const made: Decision[] = [];
  const asked: Promise<Decision | null>[] = [];
  const askNext = () => {
    const number = asked.length;
    if (number >= steps) return;
    const engine = engines[number % engines.length]!;
    asked.push(engine.ask("weigh", { decision: steps - 1 - number }, signal));
    asked[number]!.catch(() => undefined); // it is seen where the answer is awaited
  };
  engines.forEach(askNext);
  for (let done = 1; done <= steps; done += 1) {
    const decision = await asked[done - 1]!;
    askNext();
    if (decision) made.unshift(decision);
    yield { type: "step", done, decision: decision as Told | null };
  }
  yield judged(made, opened, opened.client.facts);
}

/** Let bots play the deal of a game many times; yield the progress, then the scores. Raises ApiError, EngineError. */
export async function* playedAgain(opened: Opened, signal: AbortSignal): AsyncGenerator<Line> {
  const { client, turn } = opened;
  const { bot, games } = client.facts.luck;
  const how = turn.outcome?.ending?.how ?? "played";
  if (!turn.over || how !== "played") throw new ApiError("not now", "points of part of a game can't be compared");
  yield begun(opened, games);
  for (let game = 0; ; game += 1) {
    const spreads = await client.ask("luck", { game }, signal);
    yield { type: "step", done: game + 1, decision: null };
    if (game + 1 === games) return yield { type: "receipt", bot, spreads };
  }
}

function begun({ game, names, bots }: Opened, steps: number): Begun {
  return { type: "begun", game, names, bots, steps };
}

/** What the decisions of a game come to: `report` of `lab/coach.py`, but the costliest ones are those of people. */
export function judged(
  made: readonly Decision[],
  seated: Pick<Begun, "names" | "bots">,
  { coach }: Pick<Facts, "coach">,
): Judged {
  const people = peopleIn(seated);
  const asked = [...made.keys()].filter((i) => people.includes(made[i]!.seat));
  const ranked = asked.sort((one, other) => made[other]!.loss - made[one]!.loss);
  const own = seated.names.map((_, seat) => made.filter((decision) => decision.seat === seat));
  return {
    type: "judged",
    costliest: ranked.slice(0, coach.costliest).filter((i) => made[i]!.reason),
    lost: own.map((decisions) => decisions.reduce((sum, { loss }) => sum + Math.round(10_000 * loss), 0) / 10_000),
    decisions: own.map(({ length }) => length),
  };
}
