// Whether this browser can be told something while the page is closed.

/** Where notices are turned on. */
export const NOTICES = "/me?notices";

export function ableToNotify(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window && isSecureContext;
}
