// People who play at boardgame.io's server: `node people.mjs PORT TABLES SECONDS`. Prints what they met as JSON.

import { io } from "socket.io-client";

const [port, tables, seconds] = process.argv.slice(2).map(Number);
const base = `http://127.0.0.1:${port}`;
const until = performance.now() + seconds * 1000;
const tally = { moves: 0, games: 0, waits: [] };
const HEADINGS = { N: [0, 1], E: [1, 0], S: [0, -1], W: [-1, 0] };

/** A placement that joins the table at a free place. */
function placement(G, hand) {
  const cells = Object.keys(G.cells).map((cell) => cell.split(",").map(Number));
  for (;;) {
    const [x, y] = cells[Math.floor(Math.random() * cells.length)];
    const [dx, dy] = Object.values(HEADINGS)[Math.floor(Math.random() * 4)];
    const heading = "NESW"[Math.floor(Math.random() * 4)];
    const [hx, hy] = HEADINGS[heading];
    const free = (cx, cy) => G.cells[`${cx},${cy}`] === undefined;
    if (free(x + dx, y + dy) && free(x + dx + hx, y + dy + hy)) {
      return [Math.floor(Math.random() * hand.length), x + dx, y + dy, heading];
    }
  }
}

function sit(matchID, playerID) {
  return new Promise((done) => {
    const socket = io(`${base}/topas`, { transports: ["websocket"], forceNew: true });
    let asked = 0;
    let stateID = -1;
    const see = (state) => {
      if (asked && state._stateID > stateID) {
        tally.waits.push(performance.now() - asked);
        tally.moves += 1;
        asked = 0;
      }
      stateID = state._stateID;
      const over = state.ctx.gameover !== undefined;
      if (over || performance.now() > until) {
        tally.games += over && playerID === "0" ? 1 : 0;
        socket.close();
        done();
      } else if (state.ctx.currentPlayer === playerID && !asked) {
        ask(state);
      }
    };
    const ask = (state) => {
      asked = performance.now();
      const args = placement(state.G, state.G.hands[playerID]);
      const action = { type: "MAKE_MOVE", payload: { type: "lay", args, playerID } };
      socket.emit("update", action, state._stateID, matchID, playerID);
    };
    socket.on("connect", () => socket.emit("sync", matchID, playerID, undefined, 2));
    socket.on("sync", (_, { state }) => see(state));
    socket.on("update", (_, state) => see(state));
    setTimeout(() => (socket.close(), done()), until - performance.now() + 5000);
  });
}

async function keepPlaying() {
  while (performance.now() < until) {
    // The server makes a match when somebody first asks for it.
    const matchID = crypto.randomUUID();
    await Promise.all(["0", "1"].map((playerID) => sit(matchID, playerID)));
  }
}

await Promise.all(Array.from({ length: tables }, keepPlaying));
process.stdout.write(JSON.stringify(tally), () => process.exit(0));
