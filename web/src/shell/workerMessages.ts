// What a page and the service worker, which keeps files for times without a network, say to each other.

/** What a page tells the worker once it is idle. */
export interface Keep {
  /** The language whose words are to be kept; undefined where the reader saves data. */
  language?: string | undefined;
  /** The script of the page. */
  entry: string;
}

/** The cache of the engines that were played or chosen on this device, in any build: their names have a hash of their content. */
export const ENGINES = "bosquet-engines";

/** The id of the list of games in an index.html that brings it; the host has files only then, and no server. */
export const GAMES = "games";

/** On an answer that the worker has kept, because the server can't be reached. */
export const KEPT = "x-bosquet-kept";
