// Which page an address shows. Pages are loaded when they are first shown, so that the start page stays small.

import type { Component } from "svelte";
import { hasRules, hasScorePage, isGame, loadRules, loadScorePage, loadGamePage } from "./games";
import { type Key, need } from "./words.svelte";

export interface Page {
  title: Key;
  /** The game whose accent the page wears. */
  game?: string;
  load: () => Promise<Drawn>;
}

/** A loaded page and what it is given. */
export interface Drawn {
  component: Component<Record<string, unknown>>;
  props: Record<string, unknown>;
}

export function pageAt(path: string): Page {
  const [place = "", id, beyond] = path.split("/").slice(1);
  const game = id && isGame(id) ? id : undefined;
  if (beyond) return NOT_HERE;
  if (place === "") return { title: "start.title", load: drawn(() => import("../pages/Start.svelte"), {}) };
  if (place === "table" && id) {
    return {
      title: "common.table",
      load: drawn(() => import("../pages/Table.svelte"), { table: id }, "rights", "table"),
    };
  }
  if (place === "screen" && id) {
    return {
      title: "common.table",
      load: drawn(() => import("../pages/Screen.svelte"), { table: id }, "rights", "table"),
    };
  }
  if (place === "replay") {
    return {
      title: "common.replay_title",
      load: drawn(() => import("../pages/Replay.svelte"), { table: id }, ...STUDY),
    };
  }
  if (place === "coach") {
    return { title: "common.coach_title", load: drawn(() => import("../pages/Coach.svelte"), { table: id }, ...STUDY) };
  }
  if (place === "me" && !id) {
    return { title: "common.me", load: drawn(() => import("../pages/Me.svelte"), {}, "me", "privacy") };
  }
  if (place === "privacy" && !id) {
    return { title: "common.privacy", load: drawn(() => import("../pages/Privacy.svelte"), {}, "privacy") };
  }
  if (place === "score" && game && hasScorePage(game)) {
    return { title: "common.score_of", game, load: drawn(() => loadScorePage(game), {}) };
  }
  if (place === "rules" && game && hasRules(game)) {
    return { title: "common.rules_of", game, load: () => rulesPage(game) };
  }
  return NOT_HERE;
}

/** The areas of words that replays and the coach need. */
const STUDY = ["coach", "replay", "rights", "table"];
const NOT_HERE: Page = { title: "common.not_here", load: drawn(() => import("../pages/NotHere.svelte"), {}) };

async function rulesPage(game: string): Promise<Drawn> {
  const page = import("../pages/Rules.svelte");
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
