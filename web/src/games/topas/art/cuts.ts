// How the gems are cut: an outline, a table in its middle, and the facets between, each lit by the way it slopes.
// A gem lies in a square from -10 to 10; the light comes from the upper left.

export type Point = readonly [number, number];
export interface Facet {
  points: string;
  /** From -1, in the shade, to 1, in the light. */
  light: number;
}
export interface Cut {
  outline: string;
  facets: Facet[];
  table: string;
  /** The half of the table that mirrors the sky. */
  gleam: string;
}

const LIGHT: Point = [-0.6, -0.8];
const ROUND = 8;
const PEAR = 16;

function path(points: readonly Point[]): string {
  return points.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");
}

function scaled(points: readonly Point[], by: number, [cx, cy]: Point = [0, 0]): Point[] {
  return points.map(([x, y]) => [cx + (x - cx) * by, cy + (y - cy) * by]);
}

function facet(points: readonly Point[], centre: Point = [0, 0]): Facet {
  const x = points.reduce((sum, point) => sum + point[0], 0) / points.length - centre[0];
  const y = points.reduce((sum, point) => sum + point[1], 0) / points.length - centre[1];
  return { points: path(points), light: (x * LIGHT[0] + y * LIGHT[1]) / Math.hypot(x, y) };
}

/** The ring of facets between two outlines of as many corners. */
function step(outer: readonly Point[], inner: readonly Point[], centre?: Point): Facet[] {
  return outer.map((corner, i) => {
    const next = (i + 1) % outer.length;
    return facet([corner, outer[next]!, inner[next]!, inner[i]!], centre);
  });
}

/** Corners on a circle, the first one `turn` corners away from the east. */
function ring(corners: number, radius: number, turn = 0): Point[] {
  return Array.from({ length: corners }, (_, i) => {
    const angle = ((i + turn) / corners) * 2 * Math.PI;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
}

function cornered(width: number, height: number, cut: number): Point[] {
  const [w, h] = [width - cut, height - cut];
  return [
    [-w, -height],
    [w, -height],
    [width, -h],
    [width, h],
    [w, height],
    [-w, height],
    [-width, h],
    [-width, -h],
  ];
}

/** The gleam takes half the corners of the table, from the corner `from` on. */
function cutOf(outline: Point[], facets: Facet[], table: Point[], from: number): Cut {
  const half = Math.max(3, table.length / 2);
  const gleam = [...table, ...table].slice(from, from + half);
  return { outline: path(outline), facets, table: path(table), gleam: path(gleam) };
}

/** Sapphire: a round brilliant, its table an eight-pointed star of kites. */
function brilliant(): Cut {
  const rim = ring(6 * ROUND, 9.8);
  const girdle = ring(2 * ROUND, 9.7);
  const table = ring(ROUND, 5, 0.5);
  const facets = table.flatMap((corner, i) => {
    const next = table[(i + 1) % ROUND]!;
    const at = (n: number): Point => girdle[(2 * i + n) % (2 * ROUND)]!;
    return [facet([corner, at(1), at(2)]), facet([corner, at(2), next]), facet([next, at(2), at(3)])];
  });
  return cutOf(rim, facets, table, 3);
}

/** Emerald: a narrow rectangle in steps. */
function stepped(): Cut {
  const outline = cornered(6.7, 9.7, 2);
  const middle = cornered(4.9, 7.9, 1.4);
  const table = cornered(2.8, 5.8, 0.7);
  return cutOf(outline, [...step(outline, middle), ...step(middle, table)], table, 6);
}

/** Ruby: an octagon whose table stands on its corner. */
function octagon(): Cut {
  const outline = cornered(9, 9, 4.3);
  const table: Point[] = [
    [0, -5.9],
    [5.9, 0],
    [0, 5.9],
    [-5.9, 0],
  ];
  const facets = table.flatMap((corner, i) => {
    const at = (n: number): Point => outline[(2 * i + n) % 8]!;
    return [facet([corner, at(0), at(1)]), facet([corner, at(1), at(2), table[(i + 1) % 4]!])];
  });
  return cutOf(outline, facets, table, 2);
}

/** Topaz: a pear. */
function pear(): Cut {
  const outline = Array.from({ length: PEAR }, (_, i): Point => {
    const angle = (i / PEAR) * 2 * Math.PI;
    return [9.4 * Math.sin(angle) * Math.sin(angle / 2) ** 1.3, -9.8 * Math.cos(angle)];
  });
  const heart: Point = [0, 2];
  const table = scaled(outline, 0.5, heart);
  return cutOf(outline, step(outline, table, heart), table, PEAR / 2 + 1);
}

export const CUTS: Record<string, Cut> = { B: brilliant(), G: stepped(), R: octagon(), Y: pear() };
