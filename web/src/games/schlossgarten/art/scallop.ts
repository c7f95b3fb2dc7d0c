// A round thing with lobes: a shrub from above, or a flower with its petals.

/** The path of a ring of `lobes` bulges around a middle. */
export function scallop(x: number, y: number, radius: number, lobes: number, turned = 0): string {
  const at = (i: number) => {
    const angle = ((i + turned) / lobes) * 2 * Math.PI;
    return `${(x + radius * 0.86 * Math.cos(angle)).toFixed(1)} ${(y + radius * 0.86 * Math.sin(angle)).toFixed(1)}`;
  };
  const bulge = (radius * 0.86 * Math.sin(Math.PI / lobes) * 1.08).toFixed(1);
  const arcs = Array.from({ length: lobes }, (_, i) => `A${bulge} ${bulge} 0 0 1 ${at(i + 1)}`);
  return `M${at(0)}${arcs.join("")}Z`;
}
