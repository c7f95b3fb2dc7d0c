// Where results stand on a scale: bars for everybody's, and marks for bots in as few lanes as leave their names apart.

export interface Bar {
  from: number;
  to: number;
  players: number;
}

/** Bars of equal width that hold all results, 24 at most. */
export function barsOf(scores: readonly { value: number; players: number }[], least: number, most: number): Bar[] {
  const width = Math.max(1, Math.ceil((most - least + 1) / 24));
  const bars: Bar[] = [];
  for (let from = least; from <= most; from += width) {
    const players = scores
      .filter(({ value }) => value >= from && value < from + width)
      .reduce((sum, one) => sum + one.players, 0);
    bars.push({ from, to: Math.min(most, from + width - 1), players });
  }
  return bars;
}

export interface Label {
  x: number;
  width: number;
}

/** The lane of each label, the first one that is free where it stands; labels come from left to right. */
export function lanesOf(labels: readonly Label[], gap: number): number[] {
  const ends: number[] = [];
  return labels.map(({ x, width }) => {
    const left = x - width / 2;
    let lane = ends.findIndex((end) => end + gap <= left);
    if (lane < 0) lane = ends.length;
    ends[lane] = x + width / 2;
    return lane;
  });
}
