// @vitest-environment node
// The puzzles of the package, played by the engines of the package.
import { existsSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Client } from "../../engine/client";
import { GAMES, moduleOf, SameThread, serveEngines } from "../../engine/testing";
import { type Puzzle, readPuzzles } from "../../local/puzzles";
import { explain, tryTurn } from "./attempt";
import { TRIES } from "./day";

const stockFile = (game: string) => new URL("puzzles.jsonl", moduleOf(game));
const WITH_PUZZLES = GAMES.filter((game) => existsSync(stockFile(game)));

vi.setConfig({ testTimeout: 30_000 }); // for a year of puzzles
beforeEach(serveEngines);
afterEach(() => vi.unstubAllGlobals());

async function opened(game: string): Promise<[Client, Puzzle[]]> {
  const engine = new Client(new SameThread());
  await engine.load({ address: `http://page/engines/${game}`, game });
  return [engine, readPuzzles(readFileSync(stockFile(game), "utf8"))];
}

/** What is said after each move of a turn. */
async function judged(engine: Client, puzzle: Puzzle, moves: readonly string[]): Promise<(boolean | undefined)[]> {
  const said = [];
  for (let n = 1; n <= moves.length; n += 1) said.push((await tryTurn(engine, puzzle, moves.slice(0, n))).right);
  return said;
}

test.each(WITH_PUZZLES)(
  "the answers of %s are right when they are complete, and the second best turn is wrong",
  async (game) => {
    const [engine, puzzles] = await opened(game);
    expect(puzzles.length).toBeGreaterThan(0);
    for (const puzzle of puzzles) {
      for (const answer of puzzle.answers) {
        const last = answer.length - 1;
        expect(await judged(engine, puzzle, answer), puzzle.id).toEqual(
          answer.map((_, n) => (n === last ? true : undefined)),
        );
      }
      expect((await judged(engine, puzzle, puzzle.second.moves)).at(-1), puzzle.id).toBe(false);
    }
  },
);

test.each(WITH_PUZZLES)("%s explains an answer, and shows legal moves without what they are worth", async (game) => {
  const [engine, puzzles] = await opened(game);
  let lines = 0;
  for (const puzzle of puzzles) {
    const explained = await explain(engine, puzzle);
    const { best, second, entries } = explained;
    expect(explained.made, "nothing was made").toBeUndefined();
    expect((await explain(engine, puzzle, puzzle.second.moves)).made, "what was made is explained, too").toEqual(
      second,
    );
    const found = Object.values(puzzle.found_by);
    expect(found.every((share) => Number.isInteger(TRIES * share))).toBe(true);
    const listed = entries.reduce((sum, { points }) => sum + points, 0);
    expect(listed, `${puzzle.id}: the lines come to what is said`).toBe(best.gain);
    expect(await explain(engine, { ...puzzle, id: "drawn otherwise" }), "what is hidden is not told").toEqual(
      explained,
    );
    expect(best.moves.map(({ say }) => say)).toEqual(puzzle.best.moves);
    expect(second.moves.map(({ say }) => say)).toEqual(puzzle.second.moves);
    if (puzzle.asked === null && best.gain > 0) expect(entries.length, puzzle.id).toBeGreaterThan(0);
    lines += entries.length;
    const { view, made, right } = await tryTurn(engine, puzzle, []);
    expect([made, right, view.viewer]).toEqual([[], undefined, view.seat]);
    expect(view.moves.length).toBeGreaterThan(1);
    expect(view.moves.every((move) => !("points" in move))).toBe(true);
  }
  expect(lines).toBeGreaterThan(0);
});
