// A game position by position, for somebody who looks on: as `server/compute/replays.py` has it.

import type { Engine } from "./engine.ts";
import type { Viewer, Viewpoint } from "./protocol.ts";

/** A ply that was made. */
export interface Ply {
  /** The packed state before it. */
  before: Uint8Array;
  /** The seat that moved, or CHANCE. */
  seat: number;
  /** The index of the move among the legal ones; nothing for a chance event. */
  move: number | null;
  undoable: boolean;
  /** In notation. */
  say: string;
}

/**
 * Return the positions of a game as a list of frames, as JSON; `last` is the view of the position that is held. Leaves
 * that as it is. Raises EngineError where there is no such seat.
 */
export function framesOf(engine: Engine, plies: readonly Ply[], viewpoint: Viewpoint, last: string): string {
  const all = viewpoint === "all";
  const viewer = all ? null : viewpoint;
  const frames: string[] = [];
  let made: string[] = [];
  const add = (view: string) => {
    const seat = plies[frames.length - 1]?.seat ?? -1;
    const head = JSON.stringify({ ply: frames.length, seat: seat < 0 ? null : seat, say: sayOf(made) });
    const open = all ? revealedIn(engine) : `{"hands":null,"revealed":null}`;
    frames.push(`${head.slice(0, -1)},"view":${view},"moves":[${made.join()}],${open.slice(1)}`);
  };
  const now = engine.packed();
  engine.aside(() => {
    for (const ply of plies) {
      engine.load(ply.before);
      add(engine.view(viewer, "aids"));
      made = [moveOf(engine, ply, all ? ply.seat : viewer, all)];
    }
    engine.load(now);
    add(last);
  });
  return `[${frames.join()}]`;
}

/** A move about to be made. What chance brought about lies face down, but where all is revealed. */
function moveOf(engine: Engine, { move, say }: Ply, viewer: Viewer, all: boolean): string {
  if (move === null) return JSON.stringify({ ...CHANCE_MOVE, say: all ? say : "" });
  return engine.observed(move, viewer, "full");
}

/** A move of chance as a page takes it: what it is, each game says in its own words. */
export const CHANCE_MOVE = { say: "", kind: "chance", cells: [] };

function sayOf([move]: string[]): string | null {
  return move === undefined ? null : (JSON.parse(move) as { say: string }).say;
}

/** Everybody's hand and what lies face down, as JSON. */
export function revealedIn(engine: Engine): string {
  return `{"hands":${handsIn(engine)},"revealed":${engine.revealed()}}`;
}

/** Everybody's hand; empty in a game without hands. */
function handsIn(engine: Engine): string {
  const hands = Array.from({ length: engine.seats }, (_, seat) => {
    const { hand } = JSON.parse(engine.view(seat, "aids")) as { hand?: unknown[] | null };
    return (hand ?? []).map(String);
  });
  return JSON.stringify(hands);
}
