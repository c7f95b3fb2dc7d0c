import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";
import { links } from "./build/links.ts";

export default { preprocess: [links(), vitePreprocess()] };
