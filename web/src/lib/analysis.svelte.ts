// The record that was opened last and what the coach said of it, between the pages that show them.

import type { Decision, ReplayRequest } from "./messages";

type GameRecord = ReplayRequest["record"];

class Analysis {
  /** A record from a file: it has no address to come back to. */
  file = $state.raw<GameRecord>();
  /** The table whose game the decisions are of; undefined for the file. */
  table = $state<string>();
  decisions = $state.raw<Decision[]>([]);

  /** What the coach said of the decision at a ply of a game. */
  at(table: string | undefined, ply: number): Decision | undefined {
    return table === this.table ? this.decisions.find((decision) => decision.ply === ply) : undefined;
  }

  keep(table: string | undefined, decisions: Decision[]): void {
    this.table = table;
    this.decisions = decisions;
  }

  /** Another file: what was said of the one before is not about this one. */
  open(file: GameRecord | undefined): void {
    if (file !== this.file && this.table === undefined) this.decisions = [];
    this.file = file;
  }
}

export const analysis = new Analysis();

/** The address of a game's coach, or of one of its positions. */
export function coachPath(table: string | undefined): string {
  return table ? `/coach/${table}` : "/coach";
}

export function positionPath(table: string | undefined, ply: number): string {
  return `${table ? `/replay/${table}` : "/replay"}#ply${ply}`;
}
