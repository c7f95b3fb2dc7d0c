import "@fontsource/fraunces/600.css";
import "@fontsource/atkinson-hyperlegible/400.css";
import "@fontsource/atkinson-hyperlegible/700.css";
import "./tokens.css";
import "./base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { loadGames } from "./core/catalogue";
import { riseAboveKeyboard } from "./shell/keyboard";
import { preferred, speak } from "./shell/words.svelte";
import { pressOnce } from "./ui/presses";
import { outliveTranslation } from "./shell/translated";
import { startWorker } from "./shell/worker";

/** The accents and colours of the games. */
import.meta.glob("./games/*/theme.css", { eager: true });

const games = loadGames().then(
  (away) => ({ ready: true, away }),
  () => ({ ready: false, away: true }),
);
/** Without words nothing can be shown but what stands in the document. */
const spoken = await speak(preferred()).then(
  () => true,
  () => false,
);
if (spoken) {
  document.querySelector(".unloaded")?.remove();
  mount(App, { target: document.body, props: await games });
  outliveTranslation();
  pressOnce();
  riseAboveKeyboard();
  startWorker();
}
