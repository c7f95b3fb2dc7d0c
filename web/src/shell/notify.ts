// Whether this browser can be told something while the page is closed.

import { hasWorkers } from "./worker";

/** Where notices are turned on. */
export const NOTICES = "/me?notices";

export function ableToNotify(): boolean {
  return hasWorkers() && "PushManager" in window && "Notification" in window && isSecureContext;
}
