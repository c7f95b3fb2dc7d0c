// What was done, so that it can be undone and done again.

/** More steps are not kept. */
const MOST = 500;

export interface Steps<Value> {
  before: readonly Value[];
  now: Value;
  after: readonly Value[];
  /** What the last step changed: more steps of the same are one with it. */
  last?: string | undefined;
}

export function begin<Value>(now: Value): Steps<Value> {
  return { before: [], now, after: [] };
}

/** Make a step; one that changes the same `thing` as the step before, such as a letter of a text, is one with it. */
export function step<Value>(steps: Steps<Value>, now: Value, thing?: string): Steps<Value> {
  const same = thing !== undefined && thing === steps.last;
  return { before: same ? steps.before : [...steps.before, steps.now].slice(-MOST), now, after: [], last: thing };
}

/** Undo the last step; without one, these are the same steps. */
export function undo<Value>(steps: Steps<Value>): Steps<Value> {
  const { before, now, after } = steps;
  const [last] = before.slice(-1);
  return last === undefined ? steps : { before: before.slice(0, -1), now: last, after: [now, ...after] };
}

/** Do what was undone last again; without that, these are the same steps. */
export function redo<Value>(steps: Steps<Value>): Steps<Value> {
  const { before, now, after } = steps;
  const [next, ...rest] = after;
  return next === undefined ? steps : { before: [...before, now], now: next, after: rest };
}
