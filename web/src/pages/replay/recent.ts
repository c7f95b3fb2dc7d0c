// The finished games that were opened recently, kept in this browser to be stepped through without a network: of each its
// record, and its positions as far as this build of the page has asked for them. Nothing of a running game is kept.

import type { Replay, ReplayRequest } from "../../client/messages";
import { clock } from "../../shell/clock.svelte";
import { Shelf } from "../../shell/store";
import { build } from "../../shell/worker";

type GameRecord = ReplayRequest["record"];
type Viewpoint = NonNullable<ReplayRequest["viewpoint"]>;

/** A game of the list. */
export interface Opened {
  /** The table, or the digest of a record from a file. */
  id: string;
  /** Whether it is a table of this server. */
  table: boolean;
  game: string;
  names: string[];
  /** Which bot played on each seat, as far as the record says. */
  bots?: (string | null)[];
  /** When it was opened last, RFC 3339. */
  at: string;
}

const shelf = new Shelf("bosquet-recent");
const LIST = "/recent";
const MOST = 12;
/** A longer record or replay is not kept, in characters. */
const LONGEST = 4_000_000;

/** What a record is known by: its table, or its own content. */
export async function idOf(record: GameRecord, table: string | undefined): Promise<string> {
  if (table !== undefined) return table;
  const digest = await crypto.subtle?.digest("SHA-256", new TextEncoder().encode(JSON.stringify(record)));
  return Array.from(new Uint8Array(digest ?? []).subarray(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
}

/** The games that are kept, the one opened last first. */
export async function opened(): Promise<Opened[]> {
  const found = await shelf.read(LIST);
  return Array.isArray(found) ? found.filter(isOpened) : [];
}

/** Keep a finished game as it was just seen. */
export async function keepOpened(
  record: GameRecord,
  replay: Replay,
  viewpoint: Viewpoint,
  table: string | undefined,
): Promise<void> {
  if (!(record["result"] || record["ending"])) return;
  const texts = { [""]: JSON.stringify(record), [`/${viewpoint}`]: JSON.stringify(replay) };
  if (Object.values(texts).some((text) => text.length > LONGEST)) return;
  const id = await idOf(record, table);
  const { game, names, bots } = replay;
  const entry: Opened = { id, table: table !== undefined, game, names, bots, at: new Date(clock.now()).toISOString() };
  const list = [entry, ...(await opened()).filter((one) => one.id !== id)];
  await forgetOthers(list.splice(MOST));
  for (const [part, text] of Object.entries(texts)) await shelf.set(address(id, part), text);
  await shelf.set(LIST, JSON.stringify(list));
}

/** The record of a game that is kept. */
export async function keptRecord(id: string): Promise<GameRecord | undefined> {
  return (await shelf.read(address(id, ""))) as GameRecord | undefined;
}

/** The positions of a game, if it was seen so in this build of the page. */
export async function keptReplay(id: string, viewpoint: Viewpoint): Promise<Replay | undefined> {
  return (await shelf.read(address(id, `/${viewpoint}`))) as Replay | undefined;
}

export async function forgetOpened(): Promise<void> {
  await shelf.clear();
}

/** Delete games that are one too many, and positions that another build of the page has asked for. */
async function forgetOthers(games: Opened[]): Promise<void> {
  for (const kept of await shelf.addresses()) {
    const { pathname, search } = new URL(kept, location.href);
    const dropped = games.some(({ id }) => pathname.split("/")[2] === encodeURIComponent(id));
    if (dropped || (search && search !== ofBuild())) await shelf.remove(kept);
  }
}

/** Records are read by every build; positions belong to one. */
function address(id: string, part: string): string {
  return `${LIST}/${encodeURIComponent(id)}${part}${part && ofBuild()}`;
}

function ofBuild(): string {
  return `?${encodeURIComponent(build())}`;
}

/** Whether what is kept is a game of the list: another build, or something else, may have written it. */
function isOpened(found: Partial<Opened> | null): found is Opened {
  const { id, game, names, bots, at } = found ?? {};
  const texts = [id, game, at, ...(Array.isArray(names) ? names : [null])];
  const dated = !Number.isNaN(Date.parse(String(at)));
  return dated && texts.every((text) => typeof text === "string") && (bots === undefined || Array.isArray(bots));
}
