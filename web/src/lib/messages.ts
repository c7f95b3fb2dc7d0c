// Made by `python -m bosquet.server.http.typescript` from the messages of the server and the games. Change it there.

export interface Agree {
  type: "agree";
  offer: "end" | "void";
}

export interface AllowChat {
  type: "allow chat";
  allow: boolean;
}

export interface AllowHints {
  type: "hints";
  allow: boolean;
}

export interface AnalysisBegun {
  type: "begun";
  game: GameName;
  names: string[];
  bots: (string | null)[];
  steps: number;
}

export interface AnalysisFailed {
  type: "failed";
}

export interface AnalysisRequest {
  record: Record<string, unknown>;
  table?: string | null;
}

export interface AnalysisStep {
  type: "step";
  done: number;
  decision: Decision | null;
}

export interface AnswerInvitation {
  table: string;
  answer: "accept" | "block" | "decline";
  name?: string | null;
}

export interface Answered {
  type: "answered";
  seat: number;
  number: number;
  query: string;
  answer: unknown;
}

export interface Archive {
  archived: boolean;
}

export interface Arrival {
  name: string | null;
  browser: string | null;
  system: string | null;
  same: boolean;
}

export interface AskHint {
  type: "hint";
  seat: number;
}

export interface AskQuery {
  type: "query";
  seat: number;
  query: string;
  argument: unknown;
}

export interface AskSheet {
  type: "sheet";
}

export interface AskWatchers {
  type: "watchers";
}

export interface Bar {
  type: "bar";
  watcher: string;
}

export interface BlockPerson {
  person: string;
  blocked: boolean;
}

export interface Chat {
  type: "chat";
  lines: ChatLine[];
}

export interface ChatLine {
  number: number;
  seat: number;
  name: string;
  text: string;
  at: string;
}

export interface Choice {
  moves: string[];
  data: Move[];
  wins: number[];
  points: number[];
  gain: number;
  value: number;
}

export interface ClaimTransfer {
  code: string;
  give_up?: boolean;
}

export interface CloseTable {
  type: "close";
}

export interface ConfirmMail {
  code: string;
}

export interface Counted {
  sheet: Sheet;
  view: View | null;
}

export interface DailyArchive {
  days: DailyPast[];
}

export interface DailyAttempt {
  table: string;
  result: DailyResult | null;
}

export interface DailyBot {
  bot: string;
  value: number;
  points: number;
  against: number | null;
}

export interface DailyDay {
  day: string;
  phase: "closed" | "ending" | "open";
  games: DailyGame[];
}

export interface DailyGame {
  game: GameName;
  options: Record<string, unknown>;
  seat: number;
  opponent: string | null;
  commitment: string;
  secret: string | null;
  players: number;
  attempt: DailyAttempt | null;
  outcome: DailyOutcome | null;
}

export interface DailyNext {
  game: GameName;
  commitment: string;
}

export interface DailyOutcome {
  scores: DailyScores[];
  rank: number | null;
  bots: DailyBot[];
  bots_due: boolean;
}

export interface DailyPast {
  day: string;
  closed: boolean;
  results: Record<string, DailyResult | null>;
}

export interface DailyRanking {
  rows: DailyRow[];
  next: string | null;
}

export interface DailyResult {
  value: number | null;
  points: number | null;
  against: number | null;
  ranked: boolean;
}

export interface DailyRow {
  rank: number;
  name: string | null;
  value: number;
  points: number;
  against: number | null;
  first: boolean;
  mine: boolean;
  table: string;
}

export interface DailyScores {
  value: number;
  players: number;
}

export interface Decision {
  ply: number;
  seat: number;
  made: Choice;
  best: Choice[];
  loss: number;
  loss_points: number;
  hindsight: number;
  reason: Reason | null;
}

export interface Decline {
  type: "decline";
}

export interface Device {
  number: number;
  browser: string | null;
  system: string | null;
  here: boolean;
  first_day: string;
  last_day: string;
  revoked: string | null;
}

export interface DuelState {
  game: number;
  games: number;
  over: boolean;
  points: number[];
  winners: number[];
  tables: string[];
}

export interface Element {
  seat: number;
  worker: string;
  size: number;
  cells: string[];
}

export interface Ending {
  how: "agreed" | "played" | "resigned" | "void";
  resigned: number[];
}

export interface Entry {
  seat: number;
  kind: string;
  name: string;
  points: number;
  cells: string[];
  parts: Part[];
  combine: string;
  piece: string | null;
  cell: string | null;
  heading: string | null;
}

export interface Figure {
  pawns: Record<string, string>;
  foreign: string[];
  path: string[];
  data: SchlossgartenMove[];
  works: Work[];
  points: number;
}

export interface FindTable {
  name: string;
  game?: GameName | null;
  players?: number | null;
}

export interface Forbidden {
  piece: string;
  heading: string;
  cells: string[];
  row: Row;
}

export interface Frame {
  ply: number;
  view: View;
  seat: number | null;
  say: string | null;
  moves: Move[];
  hands: string[][] | null;
  revealed: Record<string, string> | null;
}

export interface GameInfo {
  name: GameName;
  title: string;
  players: number[];
  options: Record<string, GameOption>;
  bots: string[];
  levels: number;
  box: boolean;
  real_game: boolean;
  queries: string[];
  deck: string[][] | null;
}

export interface GameOption {
  values: unknown[];
  default: unknown;
  players: number[];
  help: string | null;
}

export interface GameRating {
  verdict: "alone" | "before" | "counted" | "ended" | "full" | "hinted" | "nobody" | "own box" | "soon" | "unwanted";
  game: RatedGame | null;
  provisional: boolean;
}

export interface GameTotals {
  game: string;
  players: number;
  games: number;
  tally: Tally;
  scored: number;
  best: number | null;
  mean: number | null;
  weighed: number;
  cost: number | null;
}

export interface GiveSeat {
  type: "give";
  seat: number;
  bot: string;
  name: string;
}

export interface Hint {
  type: "hint";
  seat: number;
  number: number;
  choices: Hinted[];
}

export interface Hinted {
  moves: string[];
  data: Move[];
  win: number | null;
  points: number;
}

export interface History {
  games: PlayedGame[];
  next: string | null;
}

export interface HistoryRequest {
  game?: GameName | null;
  players?: number | null;
  opponent?: string | null;
  bot?: string | null;
  outcome?: "alone" | "left" | "lost" | "shared" | "together" | "void" | "won" | null;
  from?: string | null;
  to?: string | null;
  before?: string | null;
}

export interface HistorySummary {
  games: number;
  outcomes: Record<string, number>;
  totals: GameTotals[];
  levels: LevelTotals[];
  seats: SeatTotals[];
  opponents: OpponentTotals[];
}

export interface Identity {
  name: string | null;
  devices: Device[];
  phrase: string | null;
  transfer: OpenTransfer | null;
}

export interface InvitePerson {
  person: string;
  table: string;
}

export interface Invited {
  name: string;
  table: Waiting;
}

export interface Join {
  name: string;
  invitation?: string | null;
  program?: boolean;
}

export interface Judged {
  type: "judged";
  costliest: number[];
  lost: number[];
  decisions: number[];
}

export interface Kept {
  tables: KeptTable[];
  games: PlayedGame[];
  identity: Identity | null;
  notices: KeptNotices | null;
  ratings: KeptRatings | null;
  daily: KeptDaily[];
  puzzles: KeptPuzzle[];
  people: KeptPerson[];
  invitations: KeptInvitation[];
  shown: boolean;
  chat: KeptLine[];
}

export interface KeptDaily {
  day: string;
  game: string;
  table: string;
  name: string | null;
  result: DailyResult | null;
}

export interface KeptInvitation {
  table: string;
  sent: boolean;
  made: string;
}

export interface KeptLine {
  table: string;
  text: string;
  at: string;
  reported: boolean;
}

export interface KeptMail {
  address: string;
  state: "confirmed" | "refused" | "waiting";
  language: string;
  since: string;
}

export interface KeptNotices {
  settings: NoticeSettings;
  endpoints: string[];
  waiting: string[];
  mail: KeptMail | null;
}

export interface KeptPerson {
  id: string;
  name: string;
  blocked: boolean;
}

export interface KeptPuzzle {
  game: string;
  day: string;
  solved: boolean;
}

export interface KeptRatings {
  since: string;
  ratings: Rating[];
  games: RatedGame[];
}

export interface KeptTable {
  table: string;
  game: string;
  phase: string;
  host: boolean;
  seats: number[];
  names: string[];
  opened: string;
  ended: string | null;
}

export interface Laid {
  card: string;
  x: number;
  y: number;
  heading: string;
  seat: number | null;
}

export interface Leaderboard {
  game: string;
  rows: RatingRow[];
  guests: number;
}

export interface Leave {
  type: "leave";
  seat: number;
  bot: string;
}

export interface LevelTotals {
  game: string;
  bot: string;
  tally: Tally;
}

export interface Lobby {
  waiting: Waiting[];
  mine: Waiting[];
  invitations: Invited[];
}

export interface LogEntry {
  number: number;
  seat: number | null;
  say: string;
  move: Move | null;
  undo: boolean;
  ending: "agreed" | "played" | "resigned" | "void" | null;
}

export interface Look {
  type: "look";
  seat: number | null;
}

export interface LookAtTransfer {
  code: string;
}

export interface MailSettings {
  address: string | null;
  state: "confirmed" | "none" | "refused" | "waiting";
}

export interface Move {
  say: string;
  kind?: string;
  piece?: string | null;
  cells: string[];
  to?: string | null;
  heading?: string | null;
  points?: number | null;
}

export interface Network {
  offered: boolean;
  address: string | null;
}

export interface NewTable {
  game: GameName;
  options: Record<string, number | boolean | string>;
  seats: SeatWish[];
  listed?: boolean;
  pace?: "human" | "instant";
  duel?: boolean;
  box?: Record<string, unknown> | null;
  assistance?: "full" | "none" | "plain" | null;
  slow?: Slow | null;
}

export interface Notice {
  language: string;
  tables: NoticeTable[];
  total: number;
  invited: number;
  stood_in: number;
}

export interface NoticeSettings {
  key: string;
  here: boolean;
  devices: number;
  quiet: QuietHours | null;
  mail: MailSettings | null;
}

export interface NoticeTable {
  table: string;
  title: string;
  deadline: number | null;
  invited: boolean;
  kind: "reminder" | "stood in" | "turn";
}

export interface OpenTransfer {
  seconds: number;
  claimed: number | null;
}

export interface Opened {
  table: string;
}

export interface OpponentTotals {
  name: string;
  tally: Tally;
}

export interface Part {
  kind: string;
  name: string;
  points: number;
  cells: string[];
}

export interface People {
  people: Person[];
  blocked: Person[];
  shown: boolean;
}

export interface Person {
  id: string;
  name: string;
  games: number;
  game: string;
  table: string;
  ended: string;
  invited: boolean;
  here: boolean;
}

export interface Phrase {
  phrase: string;
}

export interface Play {
  type: "play";
  seat: number;
  number: number;
  move: string;
}

export interface PlayDaily {
  name: string;
}

export interface PlayedGame {
  table: string;
  game: string;
  options: Record<string, unknown>;
  seats: PlayedSeat[];
  seat: number;
  outcome: "alone" | "left" | "lost" | "shared" | "together" | "void" | "won";
  assistance: "full" | "none" | "plain";
  duel: number | null;
  ending: "agreed" | "played" | "resigned" | "void" | null;
  started: string | null;
  ended: string;
  cost: number | null;
  decisions: number | null;
  kept: boolean;
}

export interface PlayedSeat {
  name: string | null;
  bot: string | null;
  program: boolean;
  mine: boolean;
  score: number | null;
  place: number | null;
}

export interface PlottedGame {
  table: string;
  ended: string;
  score: number;
  cost: number | null;
}

export interface Position {
  type: "position";
  number: number;
  viewpoint: number | null;
  entries: LogEntry[];
  view: View;
  undo: boolean;
}

export interface Problem {
  code: "barred" | "bots away" | "busy" | "devices" | "hidden" | "host away" | "illegal" | "malformed" | "name" | "no code" | "no person" | "no seat" | "no table" | "not now" | "not yours" | "other tables" | "revoked" | "stale" | "too large" | "unavailable" | "unreadable" | "wrong origin";
  message: string;
}

export interface Proof {
  type: "proof";
  secret: string;
  nonces: (string | null)[];
}

export interface PuzzleAnswer {
  made: Move[];
  view: View | null;
  verdict: PuzzleVerdict | null;
}

export interface PuzzleAttempt {
  moves: string[];
  give_up?: boolean;
}

export interface PuzzleList {
  today: string;
  days: PuzzleOfDay[][];
  streak: number;
  repeats: Record<string, number>;
}

export interface PuzzleOfDay {
  game: string;
  day: string;
  grade: "easy" | "hard" | "medium";
  solved: boolean | null;
}

export interface PuzzlePosition {
  game: string;
  day: string;
  grade: "easy" | "hard" | "medium";
  task: "best" | "win";
  seat: number;
  view: View;
  solved: boolean | null;
  tries: PuzzleTries;
  before: string | null;
}

export interface PuzzleTries {
  tries: number;
  solved: number;
}

export interface PuzzleTurn {
  moves: Move[];
  win: number;
  lead: number;
  gain: number;
}

export interface PuzzleVerdict {
  right: boolean;
  first: boolean;
  best: PuzzleTurn;
  second: PuzzleTurn;
  answers: number;
  margin: number;
  error: number;
  turns: number;
  verified: "exact" | "search";
  simulations: number;
  found_by: Record<string, number>;
  entries: Entry[];
  tries: PuzzleTries;
}

export interface QuietHours {
  start: number | null;
  end: number | null;
  zone: string;
}

export interface RatedGame {
  table: string;
  game: string;
  ended: string;
  rating: number;
  spread: number;
  change: number;
}

export interface Rating {
  game: string;
  rating: number;
  spread: number;
  provisional: boolean;
  games: number;
}

export interface RatingRow {
  name: string | null;
  bot: string | null;
  rating: number;
  spread: number | null;
  games: number | null;
  mine: boolean;
}

export interface Ratings {
  since: string | null;
  mine: Rating[];
  boards: Leaderboard[];
}

export interface ReachableFigures {
  card: number;
  figures: Figure[];
}

export interface ReachableRequest {
  card: number;
}

export interface React {
  type: "react";
  seat: number;
  sign: "hello" | "oops" | "thanks" | "thinking" | "well played";
}

export interface Reacted {
  type: "reacted";
  seat: number;
  sign: "hello" | "oops" | "thanks" | "thinking" | "well played";
}

export interface Ready {
  type: "ready";
  nonce: string;
}

export interface RealElement {
  seat: number;
  kind: "A1" | "A2" | "A3" | "G1" | "G2" | "G3";
}

export interface RealSchlossgarten {
  game: "schlossgarten";
  players: number;
  kept: number[][];
  elements: RealElement[];
}

export interface RealTopas {
  game: "topas";
  players: number;
  expert: boolean;
  placements: string[];
  card?: string | null;
}

export interface RealTopiary {
  game: "topiary";
  players: number;
  garden: Record<string, string>;
  visitors: RealVisitor[];
  hands: string[][];
}

export interface RealVisitor {
  seat: number;
  line: string;
}

export interface Reason {
  kind: string;
  points: number;
}

export interface Receipt {
  type: "receipt";
  bot: string;
  spreads: Spread[];
}

export interface Recover {
  phrase: string;
  give_up?: boolean;
}

export interface Refused {
  type: "refused";
  code: "barred" | "bots away" | "busy" | "devices" | "hidden" | "host away" | "illegal" | "malformed" | "name" | "no code" | "no person" | "no seat" | "no table" | "not now" | "not yours" | "other tables" | "revoked" | "stale" | "too large" | "unavailable" | "unreadable" | "wrong origin";
  message: string;
  why: Why | null;
  wait: number | null;
}

export interface Rematch {
  type: "rematch";
}

export interface Remove {
  type: "remove";
  seat: number;
}

export interface Rename {
  name: string;
}

export interface Replay {
  game: GameName;
  names: string[];
  bots: (string | null)[];
  frames: Frame[];
  sheet: Sheet;
  ending: Ending | null;
}

export interface ReplayRequest {
  record: Record<string, unknown>;
  viewpoint?: number | "all" | "spectator";
}

export interface ReportChat {
  type: "report";
  number: number;
}

export interface Reported {
  type: "reported";
  number: number;
}

export interface Resign {
  type: "resign";
  seat: number;
}

export interface Revoke {
  device: number;
}

export interface Rotation {
  cells: Record<string, string>;
  placed: string[];
}

export interface Row {
  colour: string;
  gems: number;
  cells: string[];
}

export interface SchlossgartenMove {
  say: string;
  kind: "build" | "card" | "dig" | "end" | "hit" | "jump" | "shift" | "step" | "stop";
  piece?: string | null;
  cells: string[];
  to?: string | null;
  heading?: string | null;
  points?: number | null;
  pawn?: string | null;
  refuge?: string | null;
}

export interface SchlossgartenView {
  game: "schlossgarten";
  options: Record<string, unknown>;
  viewer: number | null;
  seat: number | null;
  over: boolean;
  phase: string;
  scores: number[] | null;
  winners: number[];
  moves: SchlossgartenMove[];
  values: number[];
  up: string[];
  excavations: string[];
  elements: Element[];
  pawns: string[][];
  kept: string[][];
  hand: number[] | null;
  hand_sizes: number[];
  played: number | null;
  steps_left: number;
  shifted: string[];
  standing: string[];
  rotations: Rotation[];
  worker: string | null;
  pile: number;
  discard: number[];
  held_over: number[];
  may_hold: number[][];
  turn: number;
  round: number;
  goal: number;
  box: Record<string, unknown>;
}

export interface ScoreSheet {
  type: "sheet";
  sheet: Sheet;
}

export interface Scored {
  cells: string[];
  rows: Row[];
  points: number;
}

export interface Seat {
  kind: "bot" | "human";
  name: string | null;
  ready: boolean;
  here: boolean;
  bot: string | null;
  stands_in: boolean;
  gone: boolean;
  hints: boolean;
  agrees: "end" | "void" | null;
  left: "left" | "resigned" | null;
  chat: boolean;
}

export interface SeatTotals {
  game: string;
  players: number;
  seat: number;
  tally: Tally;
}

export interface SeatWish {
  kind: "bot" | "friend" | "here" | "me";
  name?: string | null;
  bot?: string | null;
}

export interface SetMail {
  address: string;
  language: "de" | "en" | "es" | "fr";
  zone: string;
}

export interface SetPace {
  type: "pace";
  pace: "human" | "instant";
}

export interface Sheet {
  game: string;
  entries: Entry[];
  scores: number[];
  winners: number[];
  columns: number[];
}

export interface ShowMe {
  shown: boolean;
}

export interface Shut {
  cell: string;
  colour: string;
  fits: number;
}

export interface Sight {
  line: string;
  seen: string[];
  blocked: Record<string, string>;
  points: number;
  bonus: number;
}

export interface Slow {
  days: 1 | 3 | 7;
  bot: string;
  until_back?: boolean;
}

export interface Spread {
  seat: number;
  points: number[];
  mean: number;
  won: number;
  yours: number;
  beaten: number;
}

export interface Subscribe {
  endpoint: string;
  p256dh: string;
  auth: string;
  language: "de" | "en" | "es" | "fr";
  zone: string;
}

export interface TableState {
  type: "table";
  table: string;
  game: GameName;
  options: Record<string, unknown>;
  phase: "closed" | "over" | "playing" | "waiting";
  seats: Seat[];
  mine: number[];
  host: boolean;
  pace: "human" | "instant";
  watchers: number;
  commitment: string;
  invitation: string | null;
  listed: boolean;
  rematch: string | null;
  duel: DuelState | null;
  ending: Ending | null;
  assistance: "full" | "none" | "plain";
  hints: boolean;
  slow: Slow | null;
  deadline: string | null;
  daily: string | null;
}

export interface TakeBack {
  type: "back";
}

export interface Tally {
  games: number;
  won: number;
  shared: number;
}

export interface Today {
  today: DailyDay;
  seconds: number;
  next: DailyNext[];
  streak: number;
  best: number;
}

export interface TopasMove {
  say: string;
  kind?: string;
  piece: string;
  cells: string[];
  to?: string | null;
  heading: string;
  points?: number | null;
  rows?: Row[] | null;
}

export interface TopasView {
  game: "topas";
  options: Record<string, unknown>;
  viewer: number | null;
  seat: number | null;
  over: boolean;
  phase: string;
  scores: number[] | null;
  winners: number[];
  moves: TopasMove[];
  table: Laid[];
  latest: Scored | null;
  shut: Shut[];
  hand: string[] | null;
  hand_sizes: number[];
  pile: number;
  turns_left: number;
  columns: number[];
  gone: string[];
  forbidden: Forbidden[];
}

export interface TopiaryMove {
  say: string;
  kind: "keep" | "line" | "pass" | "put" | "take";
  piece?: string | null;
  cells: string[];
  to?: string | null;
  heading?: string | null;
  points?: number | null;
  sight?: Sight | null;
  kept?: string[];
}

export interface TopiaryView {
  game: "topiary";
  options: Record<string, unknown>;
  viewer: number | null;
  seat: number | null;
  over: boolean;
  phase: string;
  scores: number[] | null;
  winners: number[];
  moves: TopiaryMove[];
  garden: (string | null)[];
  visitors: Visitor[];
  visitors_left: number[];
  removed: string | null;
  hand: string[] | null;
  hand_sizes: number[];
  hands: string[][] | null;
  put: string[][];
  passed: string[];
  received: string[];
  line: string | null;
  gap: string | null;
}

export interface TransferCode {
  code: string;
  seconds: number;
}

export interface TurnsWaiting {
  waiting: number;
  slow: number;
}

export interface Undo {
  type: "undo";
  seat: number;
  number: number;
}

export interface Unsubscribe {
  all: boolean;
}

export interface Visitor {
  line: string;
  seen: string[];
  blocked: Record<string, string>;
  points: number;
  bonus: number;
  seat: number;
  cell: string;
  heading: string;
}

export interface Waiting {
  table: string;
  game: GameName;
  options: Record<string, unknown>;
  names: (string | null)[];
  bots: (string | null)[];
  phase: "closed" | "over" | "playing" | "waiting";
  mine: boolean;
  turn: number | null;
  your_turn: boolean;
  assistance: "full" | "none" | "plain";
  opened: string;
  ended: string | null;
  scores: number[] | null;
  winners: number[];
  duel: number | null;
  ending: "agreed" | "played" | "resigned" | "void" | null;
  slow: Slow | null;
  deadline: string | null;
  daily: string | null;
}

export interface Watcher {
  id: string;
  name: string | null;
}

export interface Watchers {
  type: "watchers";
  watchers: Watcher[];
}

export interface Why {
  key: string;
  about: Record<string, string>;
}

export interface WishRating {
  wanted: boolean;
}

export interface Work {
  pawn: string;
  digs: string[];
  builds: string[][];
}

export interface WriteChat {
  type: "write";
  seat: number;
  text: string;
}

export type GameName = "topiary" | "topas" | "schlossgarten";

export type View = TopiaryView | TopasView | SchlossgartenView;

export type RealGame = RealTopiary | RealTopas | RealSchlossgarten;

export type Ask = Ready | Look | AskSheet | Play | Undo | React | SetPace | AllowHints | AskHint | AskQuery | AllowChat | WriteChat | ReportChat | Rematch | GiveSeat | TakeBack | Remove | Bar | AskWatchers | CloseTable | Resign | Leave | Agree | Decline;

export type Tell = TableState | Position | ScoreSheet | Answered | Hint | Proof | Reacted | Watchers | Chat | Reported | Refused;

export type Analysis = AnalysisBegun | AnalysisStep | Judged | Receipt | AnalysisFailed;

export interface Queries {
  schlossgarten: { reachable: { argument: ReachableRequest; answer: ReachableFigures } };
}
