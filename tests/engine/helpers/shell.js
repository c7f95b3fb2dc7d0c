// Plays a game by chance in any shell of JavaScript that has WebAssembly, with the module of a game: prints each view, and
// what a search finds now and then. `node shell.js MODULE`, `jsc shell.js -- MODULE`.

const isNode = typeof process === "object";
const [file] = isNode ? process.argv.slice(2) : globalThis.arguments;
const say = isNode ? console.log : print;
const content = isNode
  ? process.getBuiltinModule("fs").readFileSync(file)
  : read(file, "binary");
const { exports: engine } = new WebAssembly.Instance(
  new WebAssembly.Module(content),
);
const FULL = 3;
const OVER = -2;

/** Return the text of ASCII that a call has written. */
function text(length) {
  const bytes = new Uint8Array(
    engine.memory.buffer,
    engine.text_bytes_at(),
    length,
  );
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

function search() {
  engine.read_settings();
  const solved = engine.start_search(0, 1);
  if (!solved) engine.run_simulations(40);
  const rows = engine.rank(solved || engine.gather());
  return Array.from(
    new Float64Array(engine.memory.buffer, engine.values_at(), rows),
  ).join(" ");
}

engine.new_game();
engine.seed(1, 2, 3, 4);
engine.deal();
for (let ply = 0; engine.seat_to_move() !== OVER; ply += 1) {
  const seat = engine.seat_to_move();
  if (seat < 0) {
    engine.make_chance();
    continue;
  }
  say(text(engine.view(seat, FULL)));
  if (ply % 10 === 0) say(search());
  engine.make(engine.random_move());
}
say(text(engine.totals()));
