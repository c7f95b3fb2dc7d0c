// Motion that shows what happened. Its time is a token, which is nothing where less motion is wanted.

import type { TransitionConfig } from "svelte/transition";

/** Milliseconds of a token; a build may write 320ms as .32s. */
function time(token: "--brief" | "--calm"): number {
  const written = getComputedStyle(document.documentElement).getPropertyValue(token).trim();
  return (Number.parseFloat(written) || 0) * (written.endsWith("ms") ? 1 : 1000);
}

/** Milliseconds from one step of a walk that goes by itself to the next. */
export function stepTime(): number {
  return Math.min(300, time("--calm"));
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
