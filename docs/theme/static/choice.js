// One choice of day or night for the page and the documentation: each keeps it under its own name.
const THEMES = { system: "auto", light: "light", dark: "dark" };
const chosen = THEMES[localStorage.getItem("bosquet.theme")];
if (chosen) localStorage.setItem("theme", chosen);
addEventListener("pagehide", () => {
  const left = Object.keys(THEMES).find((name) => THEMES[name] === localStorage.getItem("theme"));
  if (left) localStorage.setItem("bosquet.theme", left);
});
