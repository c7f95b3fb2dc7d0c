// The keyboard on a phone's screen. Browsers lay it over the page, so that it covers what is fixed to the lower edge.

/** Less is a bar of the browser that comes and goes, in pixels. */
const LEAST = 80;

/** How much of the page's lower edge is covered, in pixels; nothing where the page is zoomed into. */
export function coveredBy({ height, offsetTop, scale }: VisualViewport, page: number): number {
  const covered = page - offsetTop - height;
  return scale > 1.01 || covered < LEAST ? 0 : Math.round(covered);
}

/** Tell the styles how high the keyboard is, as `--keyboard`. */
export function riseAboveKeyboard(): void {
  const view = window.visualViewport;
  if (!view) return;
  const root = document.documentElement;
  let before = 0;
  const measure = (): void => {
    const covered = coveredBy(view, root.clientHeight);
    if (covered !== before) root.style.setProperty("--keyboard", `${covered}px`);
    before = covered;
  };
  view.addEventListener("resize", measure);
  view.addEventListener("scroll", measure);
}
