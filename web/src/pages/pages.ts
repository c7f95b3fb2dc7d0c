// Which page an address shows. Pages are loaded when they are first shown, so that the start page stays small.

import type { Component } from "svelte";
import {
  hasBoxPage,
  hasRules,
  hasScorePage,
  loadBoxPage,
  loadGamePage,
  loadRules,
  loadScorePage,
  loadTips,
} from "../games/folders";
import { allGames, isAway, isGame } from "../core/catalogue";
import { saveNewTable, setTable, unfinishedHere } from "../local/savedTables";
import type { BoxProps } from "../core/game";
import { type Asked, isGrade } from "../local/puzzleAnswers";
import { hasServer } from "../shell/site";
import { type Key, need } from "../shell/words.svelte";
import { loadHere } from "./here";
import type { Origin } from "./replay/origin";
import { newTable, resize, settingFor } from "./start/setting/setting";

export interface Page {
  title: Key;
  /** The game whose accent the page wears. */
  game?: string;
  load: () => Promise<Drawn>;
  /** Whether it has something to show without a server. */
  offline?: boolean;
}

/** A loaded page and what it is given. */
export interface Drawn {
  component: Component<Record<string, unknown>>;
  props: Record<string, unknown>;
}

export function pageAt(path: string): Page {
  const [place = "", id, beyond, last] = path.split("/").slice(1);
  const game = id && isGame(id) ? id : undefined;
  if (place === "puzzles" && game && beyond && isGrade(last)) return puzzlePage({ game, day: beyond, grade: last });
  if (place === "mail" && id === "stop" && beyond) {
    return { title: "common.mail", load: drawn(() => import("./StopMail.svelte"), { token: beyond }, "mail") };
  }
  if (place === "here" && (id === "replay" || id === "coach")) {
    return study(id, beyond ? { id: beyond, here: true } : undefined);
  }
  if (place === "here" && game) {
    return { title: "common.table", game, load: () => herePage(game, beyond), offline: true };
  }
  if (beyond) return NOT_HERE;
  if (place === "mail" && id === "confirm") {
    return { title: "common.mail", load: drawn(() => import("./ConfirmMail.svelte"), {}, "mail") };
  }
  if (place === "puzzles" && !id) {
    return { title: "common.puzzles", load: drawn(() => import("./Puzzles.svelte"), {}, ...PUZZLES), offline: true };
  }
  if (place === "") return { title: "start.title", load: drawn(() => import("./Start.svelte"), {}), offline: true };
  if (place === "table" && id) {
    return {
      title: "common.table",
      load: drawn(() => import("./Table.svelte"), { table: id }, "rights", "table", "waiting"),
    };
  }
  if (place === "screen" && id) {
    return {
      title: "common.table",
      load: drawn(() => import("./Screen.svelte"), { table: id }, "rights", "table", "waiting"),
    };
  }
  if (place === "replay" || place === "coach") return study(place, id ? { id, here: false } : undefined);
  if (place === "analysis" && !id) {
    return {
      title: "common.analysis",
      offline: true,
      load: drawn(() => import("./Analysis.svelte"), {}, ...STUDY),
    };
  }
  if (place === "review" && id) {
    return {
      title: "common.review_title",
      load: drawn(() => import("./Review.svelte"), { review: id }, ...STUDY, "review"),
    };
  }
  if (place === "me" && !id) {
    return { title: "common.me", load: drawn(() => import("./Me.svelte"), {}, ...ME) };
  }
  if (place === "ratings" && !id) {
    return { title: "common.ratings", load: drawn(() => import("./Ratings.svelte"), {}, "ratings") };
  }
  if (place === "people" && !id) {
    return { title: "common.people", load: drawn(() => import("./People.svelte"), {}, "people") };
  }
  if (place === "history" && !id) {
    return {
      title: "common.history",
      load: drawn(() => import("./History.svelte"), {}, "file", "history"),
      offline: true,
    };
  }
  if (place === "today" && (!id || /^\d{4}-\d\d-\d\d$/.test(id))) {
    return {
      title: "common.today_title",
      load: () => (isAway() ? practice : drawn(() => import("./Today.svelte"), id ? { day: id } : {}, ...TODAY))(),
      offline: true,
    };
  }
  if (place === "privacy" && !id) {
    return {
      title: "common.privacy",
      load: drawn(() => import("./Privacy.svelte"), {}, "privacy"),
      offline: true,
    };
  }
  if (place === "score" && game && hasScorePage(game)) {
    const games = allGames().map(({ name }) => name);
    return {
      title: "common.score_of",
      game,
      load: drawn(() => loadScorePage(game), { games: games.filter(hasScorePage) }),
      offline: true,
    };
  }
  if (place === "box" && game && hasBoxPage(game)) {
    const ontry: BoxProps["ontry"] = (box, players) => tryBox(game, box, players);
    return { title: "common.box_of", game, load: drawn(() => loadBoxPage(game), { ontry }), offline: true };
  }
  // They are pages of their own. Their addresses lead here without a network, or on a site of files that has not this page.
  if (place === "docs") return { ...NOT_HERE, offline: !hasServer && navigator.onLine };
  if (place === "rules" && game && hasRules(game)) {
    return { title: "common.rules_of", game, load: () => rulesPage(game), offline: true };
  }
  return NOT_HERE;
}

/** A page about the record of a game. */
function study(page: "replay" | "coach", origin?: Origin): Page {
  const load = page === "replay" ? () => import("./Replay.svelte") : () => import("./Coach.svelte");
  return { title: `common.${page}_title`, offline: true, load: drawn(load, { origin }, ...STUDY) };
}

function puzzlePage(asked: Asked): Page {
  const load = drawn(() => import("./Puzzle.svelte"), { ...asked }, ...PUZZLES);
  return { title: "common.puzzles", game: asked.game, load, offline: true };
}

/** The areas of words that puzzles need. */
const PUZZLES = ["analysis", "coach", "puzzles", "share", "table"];
/** The areas of words that replays and the coach need. */
const STUDY = ["analysis", "app", "coach", "file", "replay", "rights", "table"];
/** Those that the deals of the day need. */
const TODAY = ["practice", "share", "today"];
/** Those that the page about the visitor needs. */
const ME = ["mail", "me", "notices", "privacy", "ratings"];
const NOT_HERE: Page = {
  title: "common.not_here",
  load: drawn(() => import("./NotHere.svelte"), {}),
  offline: !hasServer,
};
/** In the place of a page that needs the server while there is none. */
export const OFFLINE: Page = {
  title: "common.not_here",
  load: drawn(() => import("./Offline.svelte"), {}, "app"),
};

/** In the place of the deals of the day while there is no server. */
const practice = drawn(() => import("./today/Practice.svelte"), {}, "practice");

/** A table on this device: one that is named, or else the last one that goes on, or a new one. */
async function herePage(game: string, table?: string): Promise<Drawn> {
  const page = loadHere();
  const [spec, id] = await Promise.all([loadGamePage(game), table ?? anyHere(game)]);
  return drawn(() => page, { game, spec, id }, "rights", "table")();
}

async function anyHere(game: string): Promise<string> {
  const waiting = (await unfinishedHere()).find((table) => table.game === game);
  if (waiting) return waiting.id;
  const table = setTable(newTable(settingFor(game)));
  await saveNewTable(table);
  return table.id;
}

/** Begin a game on this device with a box; return why that can't be. */
async function tryBox(game: string, box: Record<string, unknown>, players: number): Promise<string> {
  const { Opening } = await import("./start/setting/opening.svelte");
  const opening = new Opening();
  const setting = settingFor(game);
  await opening.openHere({ ...setting, chairs: resize(game, setting.chairs, players), box });
  return opening.problem;
}

async function rulesPage(game: string): Promise<Drawn> {
  const page = import("./Rules.svelte");
  const [spec, rules, tips] = await Promise.all([loadGamePage(game), loadRules(game), loadTips(game), need("rules")]);
  return drawn(() => page, { game, spec, rules, tips })();
}

/** A page that is loaded together with the words of the areas it names. */
function drawn<Props extends Record<string, unknown>>(
  load: () => Promise<{ default: Component<Props> }>,
  props: Props,
  ...areas: string[]
): () => Promise<Drawn> {
  return async () => {
    const [page] = await Promise.all([load(), need(...areas)]);
    return { component: page.default as unknown as Drawn["component"], props };
  };
}
