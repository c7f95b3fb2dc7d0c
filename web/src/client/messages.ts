// The types of all messages and views. `python -m bosquet.server.http.typescript` makes them of those of the server and
// the games; `web/check` does so first.

export type * from "../../types/messages";
