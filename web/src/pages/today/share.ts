// A result to share, as text and as a picture. It tells nothing of the deal: no card, no move, no board.

import { titleOf } from "../../core/catalogue";
import { dayName } from "../../ui/time/days";
import type { DailyGame } from "../../client/messages";
import { linkTo } from "../../shell/base";
import { t } from "../../shell/words.svelte";
import { beaten, rankWords, resultWords } from "./figures";

export interface Shared {
  title: string;
  day: string;
  lines: string[];
  /** For each bot, the weakest first, whether one is ahead of it. */
  marks: boolean[];
  link: string;
}

/** What is told of a game whose attempt is over. */
export function sharedOf(game: DailyGame, day: string, streak: number): Shared {
  const result = game.attempt?.result;
  const value = result?.value ?? null;
  const bots = game.outcome?.bots ?? [];
  const lines = result ? [resultWords(result)] : [];
  if (value !== null) {
    lines.push(rankWords(game));
    if (bots.length) lines.push(t("today.ahead", { k: beaten(value, bots), n: bots.length }));
  }
  if (streak > 1) lines.push(t("today.share_streak", { n: streak }));
  return {
    title: titleOf(game.game),
    day: dayName(day, { dateStyle: "medium" }),
    lines,
    marks: value === null ? [] : bots.map((bot) => bot.value < value),
    link: linkTo(`/today/${day}`),
  };
}

export function textOf({ title, day, lines, marks, link }: Shared): string {
  const row = marks.map((ahead) => (ahead ? "●" : "○")).join("");
  return [`bosquet · ${title} · ${day}`, ...lines, ...(row ? [row] : []), link].join("\n");
}

const WIDTH = 1200;
const HEIGHT = 630;
const EDGE = 72;

/** The same as a picture; a PNG. */
export async function pictureOf({ title, day, lines, marks, link }: Shared): Promise<Blob> {
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
  const brush = canvas.getContext("2d");
  if (!brush) throw new Error("no canvas");
  await document.fonts.ready;
  const style = getComputedStyle(document.documentElement);
  const probe = document.createElement("span");
  document.body.append(probe);
  /** A colour of the page as the theme has it now. */
  const colour = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const display = style.getPropertyValue("--display");
  const text = style.getPropertyValue("--text");
  brush.fillStyle = colour("--paper");
  brush.fillRect(0, 0, WIDTH, HEIGHT);
  brush.fillStyle = colour("--accent");
  brush.fillRect(0, 0, WIDTH, 14);
  const write = (words: string, y: number, size: number, font: string, weight = 400): void => {
    for (let fits = size; ; fits -= 2) {
      brush.font = `${weight} ${fits}px ${font}`;
      if (fits <= 20 || brush.measureText(words).width <= WIDTH - 2 * EDGE) break;
    }
    brush.fillText(words, EDGE, y);
  };
  brush.fillStyle = colour("--soft");
  write(`bosquet · ${day}`, 110, 34, text);
  brush.fillStyle = colour("--ink");
  write(title, 190, 72, display, 600);
  const [first = "", ...rest] = lines;
  write(first, 290, 56, display, 600);
  brush.fillStyle = colour("--ink");
  rest.forEach((line, i) => {
    write(line, 355 + 46 * i, 34, text);
  });
  brush.strokeStyle = brush.fillStyle = colour("--accent");
  brush.lineWidth = 4;
  marks.forEach((ahead, i) => {
    brush.beginPath();
    brush.arc(EDGE + 18 + 56 * i, 512, 16, 0, 2 * Math.PI);
    if (ahead) brush.fill();
    brush.stroke();
  });
  brush.fillStyle = colour("--soft");
  write(link.replace(/^https?:\/\//, ""), 588, 30, text);
  probe.remove();
  return new Promise((done, fail) => {
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png");
  });
}
