// What is pressed with: something that hovers before it presses shows what it would do, a finger has to come twice.

/** Whether the pen of this device was ever seen above the glass; many are felt only when they touch it. */
let penHovers = false;

if (typeof document !== "undefined") {
  document.addEventListener(
    "pointermove",
    ({ pointerType, buttons }) => (penHovers ||= pointerType === "pen" && buttons === 0),
    { capture: true, passive: true },
  );
}

/** Whether a pointer points at something before it is pressed: a mouse, or a pen that is felt above the glass. */
export function hovers({ pointerType }: PointerEvent): boolean {
  return pointerType === "pen" ? penHovers : pointerType !== "touch";
}
