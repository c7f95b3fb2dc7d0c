import "@fontsource-variable/fraunces/wght.css";
import "@fontsource/atkinson-hyperlegible/400.css";
import "@fontsource/atkinson-hyperlegible/700.css";
import "./tokens.css";
import "./base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { preferred, speak } from "./lib/words.svelte";

await speak(preferred());
mount(App, { target: document.body });
