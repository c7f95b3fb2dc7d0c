// Which page an address shows. Pages are loaded when they are first shown, so that the start page stays small.

import type { Component } from "svelte";
import { hasRules, hasScorePage, loadRules, loadScorePage, loadGamePage } from "../games/folders";
import { allGames, isGame } from "../core/catalogue";
import { type Key, need } from "../shell/words.svelte";

export interface Page {
  title: Key;
  /** The game whose accent the page wears. */
  game?: string;
  load: () => Promise<Drawn>;
  /** Whether it has something to show while the server can't be reached. */
  offline?: boolean;
}

/** A loaded page and what it is given. */
export interface Drawn {
  component: Component<Record<string, unknown>>;
  props: Record<string, unknown>;
}

export function pageAt(path: string): Page {
  const [place = "", id, beyond] = path.split("/").slice(1);
  const game = id && isGame(id) ? id : undefined;
  if (place === "puzzles" && game && beyond) {
    const day = { game, day: beyond };
    return {
      title: "common.puzzles",
      game,
      load: drawn(() => import("./Puzzle.svelte"), day, "puzzles", "share", "coach", "table"),
    };
  }
  if (place === "mail" && id === "stop" && beyond) {
    return { title: "common.mail", load: drawn(() => import("./StopMail.svelte"), { token: beyond }, "mail") };
  }
  if (beyond) return NOT_HERE;
  if (place === "mail" && id === "confirm") {
    return { title: "common.mail", load: drawn(() => import("./ConfirmMail.svelte"), {}, "mail") };
  }
  if (place === "puzzles" && !id) {
    return { title: "common.puzzles", load: drawn(() => import("./Puzzles.svelte"), {}, "puzzles") };
  }
  if (place === "") return { title: "start.title", load: drawn(() => import("./Start.svelte"), {}) };
  if (place === "table" && id) {
    return {
      title: "common.table",
      load: drawn(() => import("./Table.svelte"), { table: id }, "rights", "table", "waiting"),
    };
  }
  if (place === "here" && game) {
    return { title: "common.table", game, load: () => herePage(game), offline: true };
  }
  if (place === "screen" && id) {
    return {
      title: "common.table",
      load: drawn(() => import("./Screen.svelte"), { table: id }, "rights", "table", "waiting"),
    };
  }
  if (place === "replay") {
    return {
      title: "common.replay_title",
      offline: true,
      load: drawn(() => import("./Replay.svelte"), { table: id }, ...STUDY),
    };
  }
  if (place === "coach") {
    return { title: "common.coach_title", load: drawn(() => import("./Coach.svelte"), { table: id }, ...STUDY) };
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
    return { title: "common.history", load: drawn(() => import("./History.svelte"), {}, "history") };
  }
  if (place === "today" && (!id || /^\d{4}-\d\d-\d\d$/.test(id))) {
    return {
      title: "common.today_title",
      load: drawn(() => import("./Today.svelte"), id ? { day: id } : {}, "today", "share"),
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
    };
  }
  if (place === "rules" && game && hasRules(game)) {
    return { title: "common.rules_of", game, load: () => rulesPage(game), offline: true };
  }
  return NOT_HERE;
}

/** The areas of words that replays and the coach need. */
const STUDY = ["app", "coach", "replay", "rights", "table"];
/** Those that the page about the visitor needs. */
const ME = ["mail", "me", "notices", "privacy", "ratings"];
const NOT_HERE: Page = { title: "common.not_here", load: drawn(() => import("./NotHere.svelte"), {}) };
/** In the place of a page that needs the server while that can't be reached. */
export const OFFLINE: Page = {
  title: "common.not_here",
  load: drawn(() => import("./Offline.svelte"), {}, "app"),
};

async function herePage(game: string): Promise<Drawn> {
  const page = import("./Here.svelte");
  const spec = await loadGamePage(game);
  return drawn(() => page, { game, spec }, "rights", "table")();
}

async function rulesPage(game: string): Promise<Drawn> {
  const page = import("./Rules.svelte");
  const [spec, rules] = await Promise.all([loadGamePage(game), loadRules(game), need("rules")]);
  return drawn(() => page, { game, spec, rules })();
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
