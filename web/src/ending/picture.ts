// A picture of a game that is over: the board as the page draws it, the players with their points, and the way to its
// replay. The board is copied as SVG with the styles that the page gives it; the rest is drawn beside it.

import { encode } from "uqr";
import { initialOf } from "../ui/initial";
import { SEAT_SHAPES } from "../ui/seatShapes";
import { LAUREL, LEAF } from "./laurel";

interface Pictured {
  board: Element | null;
  title: string;
  words: string;
  players: { name: string; seat: number; points: number | undefined; won: boolean }[];
  /** Nothing where the game can't be looked at elsewhere. */
  link: URL | undefined;
  linkWords: string;
}

const WIDTH = 1200;
const HEIGHT = 675;
const EDGE = 28;
const LEFT = HEIGHT + 12;
/** What a drawing looks like, with what it is where nobody says anything. */
const LOOKS: Record<string, string> = {
  fill: "rgb(0, 0, 0)",
  "fill-opacity": "1",
  stroke: "none",
  "stroke-width": "1px",
  "stroke-opacity": "1",
  "stroke-dasharray": "none",
  "stroke-linecap": "butt",
  "stroke-linejoin": "miter",
  opacity: "1",
  transform: "none",
  "transform-box": "view-box",
  "transform-origin": "",
  overflow: "visible",
  visibility: "visible",
  display: "inline",
  "font-size": "",
  "font-weight": "400",
  "text-anchor": "start",
  "dominant-baseline": "auto",
  "stop-color": "rgb(0, 0, 0)",
  "stop-opacity": "1",
};
/** A child says these even if they are as usual: it may have others from its parent or from the browser. */
const ALWAYS = new Set(["fill", "stroke", "stroke-width", "font-size", "font-weight", "text-anchor", "overflow"]);

/** Draw the picture; a PNG. */
export async function drawPicture(game: Pictured): Promise<Blob> {
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
  const brush = canvas.getContext("2d");
  if (!brush) throw new Error("no canvas");
  await document.fonts.ready;
  brush.fillStyle = colour("--paper");
  brush.fillRect(0, 0, WIDTH, HEIGHT);
  await drawBoard(brush, game.board);
  drawWords(brush, game);
  return new Promise((done, fail) => {
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png");
  });
}

/** The largest drawing in the board is the board itself. */
async function drawBoard(brush: CanvasRenderingContext2D, board: Element | null): Promise<void> {
  const size = (svg: Element) => svg.getBoundingClientRect().width * svg.getBoundingClientRect().height;
  const [svg] = [...(board?.querySelectorAll("svg") ?? [])].toSorted((one, other) => size(other) - size(one));
  if (!svg) return;
  const { width, height } = svg.getBoundingClientRect();
  const copy = copyOf(svg);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", svg.getAttribute("viewBox") ?? `0 0 ${width} ${height}`);
  const room = HEIGHT - 2 * EDGE;
  const scale = Math.min(room / width, room / height);
  const [wide, high] = [width * scale, height * scale];
  copy.setAttribute("width", String(wide));
  copy.setAttribute("height", String(high));
  const [x, y] = [EDGE + (room - wide) / 2, EDGE + (room - high) / 2];
  const ground = getComputedStyle(svg.parentElement ?? svg).backgroundColor;
  const address = URL.createObjectURL(
    new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }),
  );
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    brush.save();
    brush.beginPath();
    brush.roundRect(x, y, wide, high, 14);
    brush.fillStyle = ground;
    brush.fill();
    brush.drawImage(image, x, y, wide, high);
    brush.restore();
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A copy of a drawing that looks the same without the page around it. */
function copyOf(svg: SVGElement): SVGElement {
  const copy = svg.cloneNode(true) as SVGElement;
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  [svg, ...svg.querySelectorAll("*")].forEach((node, i) => {
    const looks = getComputedStyle(node);
    const style = Object.entries(LOOKS).flatMap(([name, usual]) => {
      const value = looks.getPropertyValue(name);
      return value && (value !== usual || ALWAYS.has(name)) ? [`${name}:${value}`] : [];
    });
    copies[i]?.setAttribute("style", [...style, "font-family:Georgia,serif"].join(";"));
  });
  return copy;
}

function drawWords(brush: CanvasRenderingContext2D, { title, words, players, link, linkWords }: Pictured): void {
  const display = family("--display");
  const text = family("--text");
  const right = WIDTH - EDGE - 12;
  let y = EDGE + 46;
  brush.textBaseline = "alphabetic";
  brush.fillStyle = colour("--accent");
  brush.font = `600 ${fitting(brush, title, right - LEFT, 46, display)}px ${display}`;
  brush.fillText(title, LEFT, y);
  brush.fillStyle = colour("--ink");
  brush.font = `400 23px ${text}`;
  y += 14;
  for (const line of wrapped(brush, words, right - LEFT)) brush.fillText(line, LEFT, (y += 32));
  y += 58;
  const pitch = Math.min(76, (HEIGHT - 190 - y) / Math.max(1, players.length - 1));
  for (const player of players) {
    drawMark(brush, player.seat, player.name, LEFT + 28, y, player.won);
    brush.fillStyle = colour("--ink");
    brush.font = `${player.won ? 700 : 400} 26px ${text}`;
    brush.fillText(shortened(brush, player.name, right - LEFT - 190), LEFT + 70, y + 9);
    if (player.points !== undefined) {
      brush.font = `600 38px ${display}`;
      brush.textAlign = "right";
      brush.fillText(String(player.points), right, y + 13);
      brush.textAlign = "left";
    }
    y += pitch;
  }
  if (link) drawLink(brush, link, linkWords, right, display, text);
}

function drawLink(
  brush: CanvasRenderingContext2D,
  link: URL,
  linkWords: string,
  right: number,
  display: string,
  text: string,
): void {
  const code = encode(link.href, { ecc: "M", border: 2 });
  const dot = 118 / code.size;
  const [left, top] = [right - 118, HEIGHT - EDGE - 118];
  brush.fillStyle = "#fffdf6";
  brush.fillRect(left, top, 118, 118);
  brush.fillStyle = "#1c2b23";
  code.data.forEach((row, i) =>
    row.forEach((dark, j) => dark && brush.fillRect(left + j * dot, top + i * dot, dot + 0.3, dot + 0.3)),
  );
  brush.fillStyle = colour("--soft");
  brush.font = `400 20px ${text}`;
  brush.fillText(linkWords, LEFT, HEIGHT - EDGE - 68);
  brush.fillText(shortened(brush, `${link.host}${link.pathname}`, left - LEFT - 16), LEFT, HEIGHT - EDGE - 40);
  brush.fillStyle = colour("--accent");
  brush.font = `600 26px ${display}`;
  brush.fillText("bosquet", LEFT, HEIGHT - EDGE - 6);
}

function drawMark(
  brush: CanvasRenderingContext2D,
  seat: number,
  name: string,
  x: number,
  y: number,
  won: boolean,
): void {
  brush.save();
  brush.translate(x, y);
  if (won) {
    brush.fillStyle = colour("--glow");
    for (const leaf of LAUREL) {
      brush.save();
      brush.scale(1.45, 1.45);
      brush.translate(leaf.x, leaf.y);
      brush.rotate((leaf.turn * Math.PI) / 180);
      brush.fill(new Path2D(LEAF));
      brush.restore();
    }
  }
  brush.scale(1.5, 1.5);
  brush.fillStyle = colour(`--seat-${seat}`);
  brush.translate(-12, -12);
  brush.fill(new Path2D(SEAT_SHAPES[seat]));
  brush.fillStyle = colour("--on-seat");
  brush.font = `700 ${seat === 2 ? 9.5 : 12}px ${family("--text")}`;
  brush.textAlign = "center";
  brush.fillText(initialOf(name), 12, seat === 2 ? 18.5 : 16.3);
  brush.restore();
}

/** A colour of the page, as the theme has it. */
function colour(token: string): string {
  return looksOf("color", token).color;
}

function family(token: string): string {
  return looksOf("font-family", token).fontFamily;
}

/** A token alone is not yet a value: an element has to wear it. */
function looksOf(property: string, token: string): { color: string; fontFamily: string } {
  const probe = document.createElement("span");
  probe.style.setProperty(property, `var(${token})`);
  (document.querySelector("[data-game]") ?? document.body).append(probe);
  const { color, fontFamily } = getComputedStyle(probe);
  probe.remove();
  return { color, fontFamily };
}

function fitting(
  brush: CanvasRenderingContext2D,
  words: string,
  width: number,
  largest: number,
  family: string,
): number {
  brush.font = `600 ${largest}px ${family}`;
  return Math.min(largest, (largest * width) / brush.measureText(words).width);
}

function wrapped(brush: CanvasRenderingContext2D, words: string, width: number): string[] {
  const lines = [""];
  for (const word of words.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (brush.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function shortened(brush: CanvasRenderingContext2D, words: string, width: number): string {
  let kept = words;
  while (kept && brush.measureText(kept).width > width) kept = kept.slice(0, -1);
  return kept === words ? words : `${kept.slice(0, -1)}…`;
}
