// Which page an address shows. Pages are loaded when they are first shown, so that the start page stays small.

import type { Component } from "svelte";
import { hasRules, hasScorePage, isGame, loadRules, loadScorePage, loadGamePage } from "./games";
import type { Key } from "./words.svelte";

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
    return { title: "common.table", load: drawn(() => import("../pages/Table.svelte"), { table: id }) };
  }
  if (place === "replay") {
    return { title: "common.replay_title", load: drawn(() => import("../pages/Replay.svelte"), { table: id }) };
  }
  if (place === "coach") {
    return { title: "common.coach_title", load: drawn(() => import("../pages/Coach.svelte"), { table: id }) };
  }
  if (place === "privacy" && !id) {
    return { title: "privacy.title", load: drawn(() => import("../pages/Privacy.svelte"), {}) };
  }
  if (place === "score" && game && hasScorePage(game)) {
    return { title: "common.score_of", game, load: drawn(() => loadScorePage(game), {}) };
  }
  if (place === "rules" && game && hasRules(game)) {
    return { title: "common.rules_of", game, load: () => rulesPage(game) };
  }
  return NOT_HERE;
}

const NOT_HERE: Page = { title: "common.not_here", load: drawn(() => import("../pages/NotHere.svelte"), {}) };

async function rulesPage(game: string): Promise<Drawn> {
  const page = import("../pages/Rules.svelte");
  const [spec, rules] = await Promise.all([loadGamePage(game), loadRules(game)]);
  return drawn(() => page, { game, spec, rules })();
}

function drawn<Props extends Record<string, unknown>>(
  load: () => Promise<{ default: Component<Props> }>,
  props: Props,
): () => Promise<Drawn> {
  return async () => ({ component: (await load()).default as unknown as Drawn["component"], props });
}
