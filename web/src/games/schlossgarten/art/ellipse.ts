/** The path of an ellipse around a middle. */
export function ellipse(x: number, y: number, wide: number, high: number): string {
  const half = (width: number) => `a${wide.toFixed(1)} ${high.toFixed(1)} 0 0 1 ${width.toFixed(1)} 0`;
  return `M${(x - wide).toFixed(1)} ${y.toFixed(1)}${half(2 * wide)}${half(-2 * wide)}Z`;
}
