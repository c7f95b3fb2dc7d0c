// What kind of site the page is of. One of files only (`bosquet site`) has no server: its index.html brings the list of
// games, and nothing is ever asked.

import { createContext } from "svelte";
import { GAMES } from "./workerMessages";

/** The list of games in index.html, as JSON; undefined where a server has it, and where there is no page (Node). */
export const gamesInPage = globalThis.document?.getElementById(GAMES)?.textContent;
export const hasServer = gamesInPage === undefined;

/** Whether the page at a path has nothing to show now, for there is no server; the frame of all pages says so. */
export const [needsServer, sayWhatNeedsServer] = createContext<(path: string) => boolean>();
