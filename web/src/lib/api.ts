// The HTTP side of the server, typed. Whatever goes wrong is an ApiError that can be shown.

import type { CatalogueEntry } from "./games";
import type {
  Arrival,
  Counted,
  Identity,
  Join,
  Lobby,
  Network,
  NewTable,
  Opened,
  Phrase,
  Problem,
  RealGame,
  Replay,
  ReplayRequest,
  Archive,
  TransferCode,
} from "./messages";
import { t } from "./words.svelte";

export class ApiError extends Error {
  constructor(
    /** What kind of refusal it is; `offline` when the server could not be reached at all. */
    readonly code: Problem["code"] | "offline",
    message: string,
  ) {
    super(message);
  }
}

export const catalogue = () => get<CatalogueEntry[]>("/api/games");
export const lobby = () => get<Lobby>("/api/lobby");
export const openTable = (table: NewTable) => post<Opened>("/api/tables", table);
export const join = (table: string, guest: Join) => post<void>(`${tableAddress(table)}/join`, guest);
export const shelve = (table: string, list: Archive) => post<void>(`${tableAddress(table)}/archive`, list);
export const localNetwork = () => get<Network>("/api/network");
export const openNetwork = (table: string, open: boolean) => post<Network>(`${tableAddress(table)}/network`, { open });
export const record = (table: string) => get<Record<string, unknown>>(`${tableAddress(table)}/record`);
export const replay = (request: ReplayRequest) => post<Replay>("/api/replay", request);
export const score = (game: RealGame) => post<Counted>("/api/score", game);
export const eraseMe = () => post<void>("/api/me/erase", {});
export const identity = () => get<Identity>("/api/me/identity");
export const rename = (name: string) => post<void>("/api/me/name", { name });
export const makeCode = () => post<TransferCode>("/api/me/transfer", {});
export const lookAtCode = (code: string) => post<Arrival>("/api/me/transfer/look", { code });
export const claimCode = (code: string, giveUp: boolean) =>
  post<void>("/api/me/transfer/claim", { code, give_up: giveUp });
export const makePhrase = () => post<Phrase>("/api/me/phrase", {});
export const recover = (phrase: string, giveUp: boolean) => post<void>("/api/me/recover", { phrase, give_up: giveUp });
export const signOut = (device: number) => post<void>("/api/me/revoke", { device });

function tableAddress(table: string): string {
  return `/api/tables/${encodeURIComponent(table)}`;
}

function get<Answer>(address: string): Promise<Answer> {
  return ask(address, { headers: { accept: "application/json" } });
}

function post<Answer>(address: string, body: unknown): Promise<Answer> {
  return ask(address, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function ask<Answer>(address: string, request: RequestInit): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(address, request);
  } catch {
    throw new ApiError("offline", t("common.offline"));
  }
  if (!response.ok) throw await problemOf(response);
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

export async function problemOf(response: Response): Promise<ApiError> {
  try {
    const problem = (await response.json()) as Problem;
    return new ApiError(problem.code, problem.message);
  } catch {
    // A proxy before the server answers without a Problem.
    return new ApiError("offline", t("common.offline"));
  }
}
