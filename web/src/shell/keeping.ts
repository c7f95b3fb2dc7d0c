// What a page and the service worker, which keeps files for times without a network, say to each other.

/** What a page tells the worker once it is idle. */
export interface Keep {
  /** The language whose words are to be kept; undefined where the reader saves data. */
  language?: string | undefined;
  /** The script of the page. */
  entry: string;
}

/** On an answer that the worker has kept, because the server can't be reached. */
export const KEPT = "x-bosquet-kept";
