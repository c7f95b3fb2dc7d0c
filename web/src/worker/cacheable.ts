// Which responses of the server the worker keeps.

/** Whether a response is the file that was asked for: a proxy may send a page of its own instead, as if it was that. */
export function isCacheable(response: Response, page: boolean): boolean {
  const html = response.headers.get("content-type")?.startsWith("text/html") ?? false;
  return response.ok && html === page;
}
