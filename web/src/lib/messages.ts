// Made by `python -m bosquet.server.typescript` of src/bosquet/server/messages.py. Change it there.

export interface AllowHints {
  type: "hints";
  allow: boolean;
}

export interface AskHint {
  type: "hint";
  seat: number;
}

export interface AskReach {
  type: "reach";
  seat: number;
  card: number;
}

export interface AskSheet {
  type: "sheet";
}

export interface Choice {
  moves: string[];
  wins: number[];
  points: number[];
  gain: number;
  value: number;
}

export interface CloseTable {
  type: "close";
}

export interface Counted {
  sheet: Sheet;
  view: View | null;
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

export interface Element {
  seat: number;
  worker: string;
  size: number;
  cells: string[];
}

export interface Entry {
  seat: number;
  kind: string;
  name: string;
  points: number;
  cells: string[];
  parts: Part[];
  combine: string;
}

export interface Figure {
  pawns: Record<string, string>;
  foreign: string[];
  path: string[];
  works: Work[];
  points: number;
}

export interface Frame {
  ply: number;
  view: View;
  seat: number | null;
  say: string | null;
  hands: string[][] | null;
  under: Record<string, string> | null;
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
  win: number | null;
  points: number;
}

export interface Join {
  name: string;
  invitation?: string | null;
}

export interface Judged {
  type: "judged";
  costliest: number[];
  lost: number[];
}

export interface Laid {
  card: string;
  x: number;
  y: number;
  heading: string;
  seat: number | null;
}

export interface Lobby {
  waiting: Waiting[];
  mine: Waiting[];
}

export interface Look {
  type: "look";
  seat: number | null;
}

export interface NewTable {
  game: "schlossgarten" | "topas" | "topiary";
  options: Record<string, number | boolean>;
  seats: SeatWish[];
  listed?: boolean;
  pace?: "human" | "instant";
}

export interface Opened {
  table: string;
}

export interface Part {
  kind: string;
  name: string;
  points: number;
  cells: string[];
}

export interface Play {
  type: "play";
  seat: number;
  number: number;
  move: string;
}

export interface Position {
  type: "position";
  number: number;
  eyes: number | null;
  told: Told[];
  view: View;
  undo: boolean;
}

export interface Problem {
  code: "busy" | "host away" | "illegal" | "malformed" | "no seat" | "no table" | "not now" | "not yours" | "stale" | "too large" | "unreadable" | "wrong origin";
  message: string;
}

export interface Proof {
  type: "proof";
  secret: string;
  nonces: (string | null)[];
}

export interface Reach {
  type: "reach";
  card: number;
  number: number;
  figures: Figure[];
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

export interface Refused {
  type: "refused";
  code: "busy" | "host away" | "illegal" | "malformed" | "no seat" | "no table" | "not now" | "not yours" | "stale" | "too large" | "unreadable" | "wrong origin";
  message: string;
}

export interface Rematch {
  type: "rematch";
}

export interface Replay {
  game: "schlossgarten" | "topas" | "topiary";
  names: string[];
  frames: Frame[];
  sheet: Sheet;
}

export interface ReplayRequest {
  record: Record<string, unknown>;
  eyes?: number | "all" | "spectator";
}

export interface Row {
  colour: string;
  gems: number;
  cells: string[];
}

export interface SchlossgartenMove {
  say: string;
  cells: string[];
  points: number | null;
  kind: string;
  pawn: string | null;
  refuge: string | null;
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
  worker: string | null;
  pile: number;
  discard: number[];
  held_over: number[];
  may_hold: number[][];
  turn: number;
  round: number;
  deck: string[][] | null;
  moves: SchlossgartenMove[];
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
}

export interface SeatWish {
  kind: "bot" | "friend" | "here" | "me";
  name?: string | null;
  bot?: string | null;
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

export interface SheetNews {
  type: "sheet";
  sheet: Sheet;
}

export interface Shelve {
  shelved: boolean;
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

export interface Spread {
  seat: number;
  points: number[];
  mean: number;
  won: number;
  yours: number;
  beaten: number;
}

export interface StudyBegun {
  type: "begun";
  game: "schlossgarten" | "topas" | "topiary";
  names: string[];
  steps: number;
}

export interface StudyFailed {
  type: "failed";
}

export interface StudyRequest {
  record: Record<string, unknown>;
}

export interface StudyStep {
  type: "step";
  done: number;
  decision: Decision | null;
}

export interface TableNews {
  type: "table";
  table: string;
  game: "schlossgarten" | "topas" | "topiary";
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
  hints: boolean;
}

export interface Told {
  number: number;
  seat: number | null;
  say: string;
  undo: boolean;
}

export interface TopasMove {
  say: string;
  cells: string[];
  points: number | null;
  rows: Row[];
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
  table: Laid[];
  shut: Shut[];
  hand: string[] | null;
  hand_sizes: number[];
  pile: number;
  turns_left: number;
  columns: number[];
  gone: string[];
  moves: TopasMove[];
}

export interface TopiaryMove {
  say: string;
  cells: string[];
  points: number | null;
  sight: Sight | null;
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
  moves: TopiaryMove[];
}

export interface Undo {
  type: "undo";
  seat: number;
  number: number;
}

export interface Visitor {
  line: string;
  seen: string[];
  blocked: Record<string, string>;
  points: number;
  bonus: number;
  seat: number;
}

export interface Waiting {
  table: string;
  game: "schlossgarten" | "topas" | "topiary";
  options: Record<string, unknown>;
  names: (string | null)[];
  phase: "closed" | "over" | "playing" | "waiting";
  mine: boolean;
  your_turn: boolean;
  opened: string;
  ended: string | null;
  scores: number[] | null;
  winners: number[];
}

export interface Work {
  pawn: string;
  digs: string[];
  builds: string[][];
}

export type View = TopiaryView | TopasView | SchlossgartenView;

export type Ask = Ready | Look | Play | Undo | React | SetPace | AskSheet | AskReach | AskHint | AllowHints | Rematch | GiveSeat | CloseTable;

export type Tell = TableNews | Position | SheetNews | Reach | Hint | Proof | Reacted | Refused;

export type RealGame = RealTopiary | RealTopas | RealSchlossgarten;

export type Study = StudyBegun | StudyStep | Judged | Receipt | StudyFailed;
