// The page of a table on this device, loaded ahead by the start page.

import { once } from "../shell/once";

export const loadHere = once(() => import("./Here.svelte"));
