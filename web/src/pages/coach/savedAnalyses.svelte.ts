// The record that was opened last and what the coach said of it, between the pages that show them. The tab keeps the
// record of a file until it is closed; what was found in a game stays on this device, until another engine would find more.

import { entryOf } from "../../core/catalogue";
import type { Decision } from "../../client/messages";
import { clock } from "../../shell/clock.svelte";
import { found as shelf, tab } from "../../shell/store";
import { build } from "../../shell/worker";
import { idOf } from "../replay/recent";
import type { Begun, GameRecord, Judged, Receipt } from "./lines";

/** What a finished analysis found. */
export interface Found {
  begun?: Begun | undefined;
  decisions?: Decision[];
  judged?: Judged | undefined;
  receipt?: Receipt | undefined;
}

/** What was found in a game, by the names of the parts. */
type Parts = Record<string, Found>;

interface SavedAnalysis {
  id: string;
  /** What found it: the address of an engine, of which its hash is a part, or the build of the page. */
  by: string;
  /** When it was found, in milliseconds. */
  at: number;
  parts: Parts;
}

/** How many games are kept: those that were looked at last. */
const MOST = 50;

const FILE = "bosquet.record";
/** Longer texts are not kept. */
const LONGEST = 2_000_000;

/** What is kept, if it is an object at all; whatever else it may hold is checked by those to whom it is given. */
function readFromTab<T extends object>(name: string): T | undefined {
  const found = tab.read(name);
  return typeof found === "object" && found !== null && !Array.isArray(found) ? (found as T) : undefined;
}

function keepInTab(name: string, value: unknown): void {
  const text = value === undefined ? "" : textOf(value);
  if (text && text.length <= LONGEST) tab.set(name, text);
  else tab.remove(name);
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return ""; // a file that is nested too deeply, which is said where it is read
  }
}

function fileOfTab(): GameRecord | undefined {
  const record = readFromTab<GameRecord>(FILE);
  return typeof record?.["game"] === "string" ? record : undefined;
}

class Analysis {
  /** A record from a file: it has no address to come back to. */
  file = $state.raw<GameRecord | undefined>(fileOfTab());
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
    if (file === this.file) return;
    if (this.table === undefined) this.decisions = [];
    this.file = file;
    keepInTab(FILE, file);
  }
}

export const analysis = new Analysis();

/** What was found in a game by the engine of today. */
export async function savedAnalysis(record: GameRecord, table: string | undefined): Promise<Parts> {
  const id = await idOf(record, table);
  const saved = id ? await shelf.read(id) : undefined;
  if (isSavedAnalysis(saved) && saved.by === finder(record)) return saved.parts;
  if (saved) await shelf.remove(id);
  return {};
}

/** Keep what was found in a game. */
export async function saveAnalysis(record: GameRecord, table: string | undefined, parts: Parts): Promise<void> {
  const id = await idOf(record, table);
  if (!id) return; // a browser that makes no digests
  await shelf.set({ id, by: finder(record), at: clock.now(), parts: $state.snapshot(parts) } as SavedAnalysis);
  const all = (await shelf.all()).filter(isSavedAnalysis).sort((one, other) => other.at - one.at);
  await Promise.all(all.slice(MOST).map((old) => shelf.remove(old.id)));
}

function finder(record: GameRecord): string {
  return entryOf(String(record["game"]))?.engine ?? build();
}

function isSavedAnalysis(found: unknown): found is SavedAnalysis {
  const { by, at, parts } = (found ?? {}) as Partial<SavedAnalysis>;
  return typeof by === "string" && typeof at === "number" && typeof parts === "object" && parts !== null;
}
