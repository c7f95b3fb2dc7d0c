// Puts questions to engines in a page, and measures them there (`benchmarks/engine.py`).

import { chosenMove } from "../../../web/src/engine/bots.ts";
import { type Client, open } from "../../../web/src/engine/client.ts";
import { Engine } from "../../../web/src/engine/engine.ts";
import { Game } from "../../../web/src/engine/game.ts";
import { startModule } from "../../../web/src/engine/module.ts";
import type { Deal, Source } from "../../../web/src/engine/protocol.ts";
import type { Settings } from "../../../web/src/engine/settings.ts";
import { type Asked, answerAll } from "./questions.ts";

type Clients = [Client, ...Client[]];

/** Answer lists of questions, with as many engines, each in a worker. */
export async function run(
  source: Source,
  engines: number,
  scripts: readonly Asked[][],
): Promise<unknown[][]> {
  const clients = (await Promise.all(
    Array.from({ length: engines }, () => open(source)),
  )) as Clients;
  try {
    const answers = [];
    for (const asked of scripts) answers.push(await answerAll(clients, asked));
    return answers;
  } finally {
    for (const client of clients) client.close();
  }
}

/** Milliseconds, medians: a worker from its start to a loaded engine, compiling alone, a view, and parsing it. */
export async function times(
  source: Source,
  deal: Deal,
  repeat: number,
): Promise<Record<string, number>> {
  const loads: number[] = [];
  const compiles: number[] = [];
  const bytes = await (await fetch(source.address)).arrayBuffer();
  for (let i = 0; i < repeat; i += 1) {
    let begin = performance.now();
    const client = await open(source);
    loads.push(performance.now() - begin);
    client.close();
    begin = performance.now();
    await startModule(bytes.slice(0), source.game);
    compiles.push(performance.now() - begin);
  }
  const module = await startModule(bytes, source.game);
  const engine = new Engine(module);
  const { seat } = Game.dealt(engine, deal).turn;
  const view = average(() => engine.view(seat, "full"));
  const text = engine.view(seat, "full");
  const parse = average(() => void JSON.parse(text));
  return {
    load: median(loads),
    compile: median(compiles),
    view,
    parse,
    memory: module.memory.byteLength,
  };
}

/** Milliseconds of each of the first decisions of a game in which all seats are this bot, by way of a worker. */
export async function decisions(
  source: Source,
  deal: Deal,
  settings: Settings,
  most: number,
): Promise<number[]> {
  const client = await open(source);
  const taken: number[] = [];
  let { over } = await client.ask("deal", deal);
  while (!over && taken.length < most) {
    const begin = performance.now();
    const move = await chosenMove([client], String(taken.length), settings);
    taken.push(performance.now() - begin);
    ({ over } = await client.ask("play", { move }));
  }
  client.close();
  return taken;
}

/** Simulations a second of the same search at the first decision of a game: the quickest of those made in some seconds. */
export async function speed(
  source: Source,
  deal: Deal,
  simulations: number,
  seconds: number,
): Promise<number> {
  const bytes = await (await fetch(source.address)).arrayBuffer();
  const engine = new Engine(await startModule(bytes, source.game));
  Game.dealt(engine, deal);
  const end = performance.now() + 1000 * seconds;
  let least = Infinity;
  while (performance.now() < end) {
    engine.seed("0");
    const [task] = engine.tasks(1);
    const begin = performance.now();
    engine.searcher.start(task!, { simulations });
    engine.searcher.simulate(simulations);
    least = Math.min(least, performance.now() - begin);
  }
  return (1000 * simulations) / least;
}

/** Milliseconds of a call that is short, on average. */
function average(call: () => void): number {
  const count = 2000;
  for (let i = 0; i < count; i += 1) call();
  const begin = performance.now();
  for (let i = 0; i < count; i += 1) call();
  return (performance.now() - begin) / count;
}

function median(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1]!;
}
