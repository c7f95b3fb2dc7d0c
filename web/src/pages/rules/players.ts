/** Who plays the games that are shown. */
export const PLAYERS = ["Rosa", "Florian"];
