// Motion that shows what happened. Its time is a token, which is nothing where less motion is wanted.

import type { TransitionConfig } from "svelte/transition";

function time(token: "--brief" | "--calm"): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(token)) || 0;
}

/** A tile lifts, turns over and settles. */
export function settle(_node: Element): TransitionConfig {
  return {
    duration: time("--calm"),
    css: (t) => {
      const turned = Math.max(0.05, Math.abs(1 - 2 * Math.min(t, 0.999)));
      const lifted = Math.sin(Math.PI * t) * 9;
      return `transform: translateY(${-lifted}px) scaleX(${t > 0.5 ? turned : 0.05})`;
    },
  };
}

/** Somebody walks to a spot, from so far off. */
export function walk(_node: Element, { x, y }: { x: number; y: number }): TransitionConfig {
  return {
    duration: time("--calm"),
    css: (t, left) => `transform: translate(${x * left}px, ${y * left}px); opacity: ${t}`,
  };
}
