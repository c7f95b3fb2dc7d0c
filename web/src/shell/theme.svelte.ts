// Day, night, or as the system has it; remembered, and set on the root of the document.

import { device } from "./store";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
const STORED = "bosquet.theme";

let chosen = $state<Theme>(stored());
apply(chosen);

export function theme(): Theme {
  return chosen;
}

export function chooseTheme(theme: Theme): void {
  chosen = theme;
  device.set(STORED, theme);
  apply(theme);
}

function stored(): Theme {
  const found = device.get(STORED);
  return THEMES.find((theme) => theme === found) ?? "system";
}

function apply(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
