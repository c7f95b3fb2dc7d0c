// The page of a table on this device, loaded ahead by the start page.

export const loadHere = () => import("./Here.svelte");
