// boardgame.io's server, as it is, with a game of two that is like Topas: hidden hands of three, cards of two halves laid
// edge to edge, seven turns each, rows of any length. In-memory store. Prints `port N` once it listens.

import { createRequire } from "node:module";

const { Server } = createRequire(import.meta.url)("boardgame.io/dist/cjs/server.js");
const INVALID = "INVALID_MOVE";
const STEPS = { N: [0, 1], E: [1, 0], S: [0, -1], W: [-1, 0] };

function deck() {
  const cards = [];
  for (let a = 0; a < 4; a++) {
    for (let b = a + 1; b < 4; b++) {
      for (let m = 1; m < 4; m++) for (let n = 1; n < 4; n++) if (m !== n) cards.push([a, m, b, n]);
    }
  }
  return cards;
}

const at = (x, y) => `${x},${y}`;

/** The gems of a row of one colour through a square along an axis, the square itself left out; halves, too. */
function row(cells, colour, x, y, [dx, dy]) {
  let gems = 0;
  let halves = 0;
  for (const way of [1, -1]) {
    for (let i = way; ; i += way) {
      const half = cells[at(x + dx * i, y + dy * i)];
      if (!half || half[0] !== colour) break;
      gems += half[1];
      halves += 1;
    }
  }
  return { gems, halves };
}

function lay({ G, playerID }, index, x, y, heading) {
  const card = G.hands[playerID]?.[index];
  const step = STEPS[heading];
  if (!card || !step || !Number.isInteger(x) || !Number.isInteger(y)) return INVALID;
  const halves = [
    [card[0], card[1], x, y],
    [card[2], card[3], x + step[0], y + step[1]],
  ];
  let joined = false;
  let points = 0;
  for (const [colour, gems, hx, hy] of halves) {
    if (G.cells[at(hx, hy)]) return INVALID;
    for (const [dx, dy] of Object.values(STEPS)) joined ||= G.cells[at(hx + dx, hy + dy)] !== undefined;
    for (const axis of [STEPS.E, STEPS.N]) {
      const found = row(G.cells, colour, hx, hy, axis);
      if (found.halves === 0) continue;
      points += found.gems + gems;
    }
  }
  if (!joined) return INVALID;
  for (const [colour, gems, hx, hy] of halves) G.cells[at(hx, hy)] = [colour, gems];
  G.table.push([card, x, y, heading]);
  G.hands[playerID].splice(index, 1);
  if (G.pile.length) G.hands[playerID].push(G.pile.pop());
  G.points[playerID] += points;
  G.turns += 1;
}

const topas = {
  name: "topas",
  setup: ({ random }) => {
    const pile = random.Shuffle(deck());
    const hands = { 0: pile.splice(0, 3), 1: pile.splice(0, 3) };
    const start = pile.pop();
    const cells = { "0,0": [start[0], start[1]], "1,0": [start[2], start[3]] };
    return { pile, hands, cells, table: [[start, 0, 0, "E"]], points: { 0: 0, 1: 0 }, turns: 0 };
  },
  minPlayers: 2,
  maxPlayers: 2,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { lay: { move: lay, client: false } },
  endIf: ({ G }) => (G.turns >= 14 ? { points: G.points } : undefined),
  playerView: ({ G, playerID }) => ({
    ...G,
    pile: G.pile.length,
    hands: { 0: playerID === "0" ? G.hands[0] : 3, 1: playerID === "1" ? G.hands[1] : 3 },
  }),
};

const server = Server({ games: [topas], origins: ["http://127.0.0.1"] });
const running = await server.run({ port: 0 });
console.log(`port ${running.appServer.address().port}`);
