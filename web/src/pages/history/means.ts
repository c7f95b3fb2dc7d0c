// The running mean of a plot.

/** For each value the mean of it and of those before it, `span` of them at most. */
export function runningMeans(values: readonly number[], span: number): number[] {
  return values.map((_, i) => {
    const some = values.slice(Math.max(0, i + 1 - span), i + 1);
    return some.reduce((sum, value) => sum + value, 0) / some.length;
  });
}
