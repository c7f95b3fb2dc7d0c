// A laurel wreath around the mark of a winner, in a square from -24 to 24: leaves along two branches.

const LEAVES = [-150, -125, -100, -75, -50, -25].flatMap((turn) => [turn, -turn]);

/** The leaves, each by where it lies and how it is turned. */
export const LAUREL = LEAVES.map((turn) => {
  const angle = ((turn + 180) * Math.PI) / 180;
  return { x: 18.5 * Math.sin(angle), y: -18.5 * Math.cos(angle), turn: turn + 180 + (turn < 0 ? -62 : 62) };
});
export const LEAF = "M0-5.5Q3.4-1 0 5.5Q-3.4-1 0-5.5Z";
