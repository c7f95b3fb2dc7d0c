// A dialog that is there only while it is open.

import type { Attachment } from "svelte/attachments";
import { on } from "svelte/events";

/**
 * Open a dialog as soon as it is there, and tell when it was closed. A browser tells of that late, perhaps when another
 * dialog is already in its place: of one that is gone nothing is told.
 */
export function modal(onclose: () => void): Attachment<HTMLDialogElement> {
  return (dialog) => {
    dialog.showModal();
    return on(dialog, "close", onclose);
  };
}
