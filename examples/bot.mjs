// A bot in JavaScript: a move that scores most at once, the first of them. It speaks the protocol of
// docs/bot-protocol.md, so `bosquet arena topas --bots "cmd:node examples/bot.mjs,greedy"` lets it play.
import { createInterface } from "node:readline";

let view = null;

function send(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

function best(moves) {
  return moves.reduce((one, other) => ((other.points ?? 0) > (one.points ?? 0) ? other : one));
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  switch (message.type) {
    case "hello":
      return send({ type: "hello", protocol: 1, name: "most points" });
    case "position":
      view = message.view;
      return;
    case "go":
      send({ type: "info", text: `${view.moves.length} moves` });
      return send({ type: "bestmove", id: message.id, move: best(view.moves).say });
    case "quit":
      process.exit();
  } // whatever else comes may be ignored
});
