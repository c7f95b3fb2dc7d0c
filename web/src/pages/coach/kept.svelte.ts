// The record that was opened last and what the coach said of it, between the pages that show them. The tab keeps both
// until it is closed, so that they are there after a reload.

import type { AnalysisBegun, Decision, Judged, Receipt, ReplayRequest } from "../../server/messages";

import { tab } from "../../shell/store";

type GameRecord = ReplayRequest["record"];

/** What a finished analysis found. */
export interface Found {
  begun?: AnalysisBegun | undefined;
  decisions?: Decision[];
  judged?: Judged | undefined;
  receipt?: Receipt | undefined;
}

const FILE = "bosquet.record";
const FOUND = "bosquet.found";
/** Longer texts are not kept. */
const LONGEST = 2_000_000;

/** What is kept, if it is an object at all; whatever else it may hold is checked by those to whom it is given. */
function kept<T extends object>(name: string): T | undefined {
  const found = tab.read(name);
  return typeof found === "object" && found !== null && !Array.isArray(found) ? (found as T) : undefined;
}

function keep(name: string, value: unknown): void {
  const text = value === undefined ? "" : JSON.stringify(value);
  if (text && text.length <= LONGEST) tab.set(name, text);
  else tab.remove(name);
}

function keptRecord(): GameRecord | undefined {
  const record = kept<GameRecord>(FILE);
  return typeof record?.["game"] === "string" ? record : undefined;
}

class Analysis {
  /** A record from a file: it has no address to come back to. */
  file = $state.raw<GameRecord | undefined>(keptRecord());
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

  /** What was found about a game before the page was loaded again. */
  found(table: string | undefined, address: string): Found | undefined {
    const found = kept<{ of: string | null; parts: Record<string, Found> }>(FOUND);
    return found && found.of === (table ?? null) ? found.parts[address] : undefined;
  }

  /** Keep what was found about a game, by the addresses of the analyses. */
  keepFound(table: string | undefined, parts: Record<string, Found>): void {
    keep(FOUND, { of: table ?? null, parts });
  }

  /** Another file: what was said of the one before is not about this one. */
  open(file: GameRecord | undefined): void {
    if (file === this.file) return;
    if (this.table === undefined) this.decisions = [];
    this.keepFound("", {});
    this.file = file;
    keep(FILE, file);
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
