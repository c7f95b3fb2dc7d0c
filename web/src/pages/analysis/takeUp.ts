// Taking up a game in an engine at a position of the analysis board.

import type { Client } from "../../engine/client";
import type { Turn } from "../../engine/protocol";
import type { Frame, ReplayRequest } from "../../client/messages";
import type { Place } from "./place";
import type { Tried } from "./tree";

type GameRecord = ReplayRequest["record"];
/** Moves that lead somewhere, those of the game that was played first. */
type Path = readonly Pick<Tried, "say" | "plies">[];

/** Have an engine take up the game after some moves. Raises EngineError. */
export async function takeUp(client: Client, { source, seed }: Omit<Place, "path">, path: Path): Promise<Turn> {
  const played = path.findLastIndex(({ plies }) => plies !== undefined);
  let turn: Turn;
  if ("position" in source) {
    const { state, viewer } = await client.ask("readPosition", { text: source.position });
    turn = await client.ask("resume", { state, seed, moves: [], unknownTo: viewer });
  } else {
    const { record } = source;
    turn = await client.ask("read", { record: upTo(record, path[played]?.plies ?? 0), seed });
  }
  for (const { say } of path.slice(played + 1)) turn = await client.ask("play", { move: say });
  return turn;
}

/** The game that was played, as moves of the tree; checks it. Raises EngineError. */
export async function playedIn(client: Client, { source, seed }: Omit<Place, "path">): Promise<Tried[]> {
  if ("position" in source) return [];
  const { record } = source;
  const all = upTo(record, (record["moves"] as unknown[]).length);
  await client.ask("read", { record: all, seed });
  const frames = JSON.parse(await client.ask("frames", { viewpoint: "all" })) as Frame[];
  const played: Tried[] = [];
  for (const [ply, { seat, say, moves }] of frames.slice(1).entries()) {
    if (seat === null && played.length) played.at(-1)!.plies = ply + 1;
    else if (seat !== null) played.push({ say: say ?? "", seat, move: moves[0]!, plies: ply + 1 });
  }
  return played;
}

/** A record of the first plies of a game, which goes on from there even if it ended so by agreement. */
function upTo(record: GameRecord, plies: number): GameRecord {
  const moves = record["moves"] as unknown[];
  const { ending: _, ...rest } = record;
  return { ...rest, moves: moves.slice(0, plies), result: plies < moves.length ? null : record["result"] };
}
