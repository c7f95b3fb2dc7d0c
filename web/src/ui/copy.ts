// To the clipboard.

/**
 * Copy a text; return whether the browser did. A page without https has no clipboard: there only the older way is left,
 * which copies what is selected.
 */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedAsSelected(text);
  }
}

function copiedAsSelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true; // no keyboard comes up
  field.style.cssText = "position: fixed; top: 0; opacity: 0";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return done;
}
