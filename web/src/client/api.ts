// The HTTP side of the server, typed. Whatever goes wrong is an ApiError that can be shown.

import type { CatalogueEntry } from "./catalogueEntry";
import { fetchAsGuest, isSomebodyNew } from "./guest";
import type {
  AnswerInvitation,
  AskBrought,
  BringGame,
  Brought,
  BroughtGame,
  Arrival,
  GameRating,
  DailyArchive,
  DailyDay,
  DailyRanking,
  FindTable,
  History,
  HistoryRequest,
  HistorySummary,
  Identity,
  Join,
  KeepCost,
  Lobby,
  Network,
  NewTable,
  NoticeSettings,
  Opened,
  People,
  Phrase,
  PlottedGame,
  PuzzleAnswers,
  PuzzleTries,
  Problem,
  QuietHours,
  RatedGame,
  Ratings,
  Replay,
  ReplayRequest,
  Review,
  ReviewOpened,
  Archive,
  SetMail,
  Subscribe,
  Today,
  TransferCode,
  TurnsWaiting,
  Unsubscribe,
  Vacation,
} from "./messages";
import { forgetKept } from "../shell/worker";
import { t } from "../shell/words.svelte";
import { gamesInPage } from "../shell/site";
import { KEPT } from "../shell/workerMessages";

const JSON_PLEASE: RequestInit = { headers: { accept: "application/json" } };

export class ApiError extends Error {
  constructor(
    /** What kind of refusal it is; `offline` when the server could not be reached at all. */
    readonly code: Problem["code"] | "offline",
    message: string,
  ) {
    super(message);
  }
}

/** The games; `away` says that there is no server, or that it can't be reached and the worker had kept them. */
export async function catalogue(): Promise<{ games: CatalogueEntry[]; away: boolean }> {
  if (gamesInPage !== undefined) return { games: JSON.parse(gamesInPage) as CatalogueEntry[], away: true };
  const response = await answerTo("/api/games", JSON_PLEASE);
  return { games: (await response.json()) as CatalogueEntry[], away: response.headers.has(KEPT) };
}
export const lobby = () => get<Lobby>("/api/lobby");
export const turnsWaiting = () => get<TurnsWaiting>("/api/turns");
export const openTable = (table: NewTable) => post<Opened>("/api/tables", table);
export const findTable = (wish: FindTable) => post<Opened>("/api/lobby/find", wish);
export const watchBots = () => post<Opened>("/api/lobby/bots", {});
export const join = (table: string, guest: Join) => post<void>(`${tableAddress(table)}/join`, guest);
/** Whether an invitation is the right one; of one that can't be checked now nothing is said. */
export async function isInvitation(table: string, invitation: string): Promise<boolean | undefined> {
  try {
    await post<void>(`${tableAddress(table)}/invitation`, { invitation });
    return true;
  } catch (error) {
    return error instanceof ApiError && ["no seat", "malformed"].includes(error.code) ? false : undefined;
  }
}
export const shelve = (table: string, list: Archive) => post<void>(`${tableAddress(table)}/archive`, list);
export const localNetwork = () => get<Network>("/api/network");
export const openNetwork = (table: string) => post<Network>(`${tableAddress(table)}/network`, {});
export const closeNetwork = () => post<Network>("/api/network/close", {});
export const record = (table: string) => get<Record<string, unknown>>(`${tableAddress(table)}/record`);
export const replay = (request: ReplayRequest) => post<Replay>("/api/replay", request);
export const openReview = (record: ReplayRequest["record"]) => post<ReviewOpened>("/api/reviews", { record });
export const review = (id: string) => get<Review>(`/api/reviews/${encodeURIComponent(id)}`);
export const eraseMe = () => post<void>("/api/me/erase", {});
export const identity = () => get<Identity>("/api/me/identity");
export const rename = (name: string) => post<void>("/api/me/name", { name });
export const makeCode = () => post<TransferCode>("/api/me/transfer", {});
export const lookAtCode = (code: string) => post<Arrival>("/api/me/transfer/look", { code });
export const claimCode = (code: string, giveUp: boolean) =>
  post<void>("/api/me/transfer/claim", { code, give_up: giveUp });
export const makePhrase = () => post<Phrase>("/api/me/phrase", {});
export const recover = (phrase: string, giveUp: boolean) => post<void>("/api/me/recover", { phrase, give_up: giveUp });
export const notices = () => get<NoticeSettings>("/api/me/notices");
export const subscribeToNotices = (browser: Subscribe) => post<void>("/api/me/notices/subscribe", browser);
export const unsubscribeFromNotices = (ask: Unsubscribe) => post<void>("/api/me/notices/unsubscribe", ask);
export const setQuiet = (hours: QuietHours) => post<void>("/api/me/notices/quiet", hours);
export const giveAddress = (ask: SetMail) => post<void>("/api/me/notices/mail", ask);
export const removeAddress = () => post<void>("/api/me/notices/mail/remove", {});
export const confirmAddress = (code: string) => post<void>("/api/mail/confirm", { code });
export const signOut = (device: number) => post<void>("/api/me/revoke", { device });
export const playedGames = (asked: HistoryRequest) => get<History>(`/api/history${query(asked)}`);
export const historySummary = () => get<HistorySummary>("/api/history/summary");
export const historyPlot = (asked: HistoryRequest) => get<PlottedGame[]>(`/api/history/plot${query(asked)}`);
export const keepCost = (cost: KeepCost) => post<void>("/api/history/cost", cost);
export const bringGame = (game: BringGame) => post<BroughtGame>("/api/history/brought", game);
export const whichBrought = (asked: AskBrought) => post<Brought>("/api/history/brought/which", asked);
export const ratings = () => get<Ratings>("/api/ratings");
export const wishRating = (wanted: boolean) => post<void>("/api/ratings/wish", { wanted });
export const ratingCurve = (game: string) => get<RatedGame[]>(`/api/ratings/plot/${encodeURIComponent(game)}`);
export const ratingOfGame = (table: string) => get<GameRating>(`/api/ratings/table/${encodeURIComponent(table)}`);
/** The people with whom one has played; with a table of one's own also who is invited there. */
export const people = (table?: string) =>
  get<People>(`/api/people${table ? `?${new URLSearchParams({ table }).toString()}` : ""}`);
export const blockPerson = (person: string, blocked: boolean) => post<void>("/api/people/block", { person, blocked });
export const vacation = () => get<Vacation>("/api/me/vacation");
export const takeVacation = (days: number) => post<Vacation>("/api/me/vacation", { days });
export const endVacation = () => post<Vacation>("/api/me/vacation/end", {});
export const showMe = (shown: boolean) => post<void>("/api/people/show", { shown });
export const invitePerson = (person: string, table: string) => post<void>("/api/people/invite", { person, table });
export const answerInvitation = (answer: AnswerInvitation) => post<void>("/api/people/answer", answer);
export const today = () => get<Today>("/api/today");
export const dailyDay = (day: string) => get<DailyDay>(`/api/today/${day}`);
export const dailyArchive = () => get<DailyArchive>("/api/today/days");
export const playDaily = (day: string, game: string, name: string) =>
  post<Opened>(`/api/today/${day}/${game}`, { name });
export const dailyRanking = (day: string, game: string, after: string | null) =>
  get<DailyRanking>(`/api/today/${day}/${game}/ranking${after ? `?${new URLSearchParams({ after }).toString()}` : ""}`);
export const puzzleAnswers = () => get<PuzzleAnswers>("/api/puzzles");
export const tellAnswer = ({ game, day, grade }: { game: string; day: string; grade: string }, solved: boolean) =>
  post<PuzzleTries>(`/api/puzzles/${[game, day, grade].map(encodeURIComponent).join("/")}`, { solved });

/** What a mail program sends, too, at a press on its own button. */
export async function stopMail(token: string): Promise<void> {
  const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  await answerTo(`/mail/stop/${encodeURIComponent(token)}`, { method: "POST", body });
}

/** Parameters of an address, without those that are empty. */
function query(asked: HistoryRequest): string {
  const given = Object.entries(asked).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return given.length ? `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()}` : "";
}

function tableAddress(table: string): string {
  return `/api/tables/${encodeURIComponent(table)}`;
}

function get<Answer>(address: string): Promise<Answer> {
  return ask(address, JSON_PLEASE);
}

function post<Answer>(address: string, body: unknown): Promise<Answer> {
  return ask(address, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function ask<Answer>(address: string, request: RequestInit): Promise<Answer> {
  const response = await answerTo(address, request);
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

async function answerTo(address: string, request: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetchAsGuest(address, request);
  } catch {
    throw new ApiError("offline", t("common.offline"));
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

export async function problemOf(response: Response): Promise<ApiError> {
  try {
    const problem = (await response.json()) as Problem;
    if (isSomebodyNew(problem.code)) await forgetKept();
    return new ApiError(problem.code, problem.message);
  } catch {
    // A proxy before the server answers without a Problem.
    return new ApiError("offline", t("common.offline"));
  }
}
