import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ReviewConnection, type TellReview } from "./reviewConnection";

class FakeSocket {
  static readonly OPEN = 1;
  static made: FakeSocket[] = [];
  readyState = FakeSocket.OPEN;
  sent: string[] = [];
  onmessage: ((event: { data: string }) => void) | undefined;
  onclose: ((event: { reason: string }) => void) | undefined;

  constructor(readonly address: URL) {
    FakeSocket.made.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.readyState = 3;
  }

  async breakOff(reason = ""): Promise<void> {
    this.close();
    this.onclose?.({ reason });
    await vi.advanceTimersByTimeAsync(0);
  }
}

const STATE = { type: "review", people: 1, leader: null, mine: false, place: null };
const POINT = { type: "point", name: "Ann", cell: "c3" } as const;

const heard = vi.fn<(message: TellReview) => void>();
const lost = vi.fn<(reason: string) => void>();
const gone = vi.fn();
const asked = vi.fn<() => Promise<Response>>();
let connection: ReviewConnection;
const socket = () => FakeSocket.made.at(-1)!;
const tell = (data = JSON.stringify(STATE)) => socket().onmessage?.({ data });

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetAllMocks();
  FakeSocket.made = [];
  asked.mockImplementation(async () => new Response("{}"));
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", asked);
  connection = new ReviewConnection("x y", heard, lost, gone);
});
afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("what is told is heard, and what is said is sent while it is open", async () => {
  expect(socket().address.pathname).toBe("/api/reviews/x%20y/live");
  tell();
  expect(heard).toHaveBeenCalledExactlyOnceWith(STATE);
  connection.say(POINT);
  expect(socket().sent).toEqual([JSON.stringify(POINT)]);
  await socket().breakOff();
  connection.say(POINT);
  expect(socket().sent).toHaveLength(1);
});

test("a connection that breaks off is lost, and comes back after a pause", async () => {
  tell();
  await socket().breakOff("a slow connection");
  expect(lost).toHaveBeenCalledExactlyOnceWith("a slow connection");
  expect(FakeSocket.made).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(FakeSocket.made).toHaveLength(2);
  expect(asked).not.toHaveBeenCalled();
  tell();
  expect(heard).toHaveBeenCalledTimes(2);
});

test("a silent connection is lost, too, and another one is tried at once", async () => {
  tell();
  await vi.advanceTimersByTimeAsync(5000);
  tell("");
  await vi.advanceTimersByTimeAsync(10_000);
  expect([FakeSocket.made.length, lost.mock.calls.length]).toEqual([1, 0]);
  const [first] = FakeSocket.made;
  await vi.advanceTimersByTimeAsync(5000);
  expect([FakeSocket.made.length, lost.mock.calls.length]).toEqual([2, 1]);
  first?.onmessage?.({ data: JSON.stringify(STATE) });
  await first?.breakOff();
  expect([heard.mock.calls.length, lost.mock.calls.length]).toEqual([1, 1]);
});

test("a connection is lost that is replaced when the network is back", () => {
  tell();
  dispatchEvent(new Event("online"));
  expect([FakeSocket.made.length, lost.mock.calls.length]).toEqual([2, 1]);
});

test("a review that has ended is tried no more", async () => {
  asked.mockImplementation(async () => Response.json({ code: "not found", message: "" }, { status: 404 }));
  await socket().breakOff();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(gone).toHaveBeenCalledOnce();
  expect(FakeSocket.made).toHaveLength(1);
});

test.each([
  async () => Response.json({ code: "unavailable", message: "" }, { status: 503 }),
  () => Promise.reject(new TypeError("no network")),
])("a review that can't be asked for is tried again: %#", async (answer) => {
  asked.mockImplementation(answer);
  await socket().breakOff();
  await vi.advanceTimersByTimeAsync(1000);
  expect(gone).not.toHaveBeenCalled();
  expect(FakeSocket.made).toHaveLength(2);
});

test("nothing is heard or tried after it is closed", async () => {
  tell();
  connection.close();
  await socket().breakOff();
  dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect([FakeSocket.made.length, lost.mock.calls.length]).toEqual([1, 0]);
});
