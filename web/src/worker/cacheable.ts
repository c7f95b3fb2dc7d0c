// Which answers are kept.

/** Whether an answer is the file that was asked for: a proxy may send a page of its own instead, as if it was that. */
export function isCacheable(answer: Response, page: boolean): boolean {
  const html = answer.headers.get("content-type")?.startsWith("text/html") ?? false;
  return answer.ok && html === page;
}
