import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { device } from "../../shell/store";
import Box from "./Box.svelte";

const HOUSE = { tiles: [17, 16, 16] };
const WRONG = { key: "tiles", message: "tiles are wrong" };

let arrive: () => void;
let problems: object[];
vi.mock("./words", () => ({ t: (key: string) => key }));
vi.mock("../../core/catalogue", () => ({ titleOf: (game: string) => game }));
vi.mock("../../core/engines", () => ({
  openEngine: () => new Promise((resolve) => (arrive = () => resolve(ENGINE))),
}));
const ENGINE = {
  ask: (name: string) => Promise.resolve(name === "houseBox" ? HOUSE : { problems, twins: TWINS }),
  close: () => {},
};
const TWINS = [{ card: 7, other: 3, quarters: 1 }];

let page: object;
const ontry = vi.fn<() => Promise<string>>();

beforeEach(() => {
  device.clear();
  problems = [];
  page = mount(Box, { target: document.body, props: { ontry } });
  flushSync();
});
afterEach(() => {
  vi.unstubAllGlobals();
  return unmount(page);
});

function button(words: string): HTMLButtonElement {
  return [...document.querySelectorAll("button")].find(({ textContent }) => textContent.trim() === words)!;
}

async function loaded(): Promise<void> {
  arrive();
  await vi.waitUntil(() => (flushSync(), button("box.try").disabled === false));
}

test("until there is something to draw on, nothing can be pressed", async () => {
  const bar = document.querySelector<HTMLElement>(".bar")!;
  expect([bar.inert, button("box.begin_house").disabled]).toEqual([true, true]);
  await loaded();
  expect([bar.inert, button("box.begin_house").disabled]).toEqual([false, false]);
});

test("a box is tried once, and again where that failed", async () => {
  await loaded();
  let answer: (problem: string) => void = () => {};
  ontry.mockReset().mockImplementation(() => new Promise((resolve) => (answer = resolve)));
  const tried = () => (flushSync(), [ontry.mock.calls.length, button("box.try").disabled]);
  button("box.try").click();
  expect(tried()).toEqual([1, true]);
  button("box.try").click();
  expect(tried()).toEqual([1, true]);
  answer("it can't be");
  await vi.waitUntil(() => !button("box.try").disabled || flushSync());
  button("box.try").click();
  answer("");
  await Promise.resolve();
  expect(tried()).toEqual([2, true]);
});

test("the focus stays on the page when what was pressed goes", async () => {
  await loaded();
  document.querySelectorAll<HTMLElement>("ol button")[2]!.click();
  flushSync();
  const twin = document.querySelector<HTMLElement>(".twins button")!;
  twin.focus();
  twin.click();
  flushSync();
  expect(document.activeElement?.tagName).toBe("H3");
  problems = [WRONG];
  const files = document.querySelector<HTMLInputElement>("input[type=file]")!;
  Object.defineProperty(files, "files", { value: [new File([JSON.stringify(HOUSE)], "mine.json")] });
  files.dispatchEvent(new Event("change", { bubbles: true }));
  await vi.waitUntil(() => (flushSync(), button("common.close")));
  button("common.close").focus();
  button("common.close").click();
  flushSync();
  expect([button("common.close"), document.activeElement?.tagName]).toEqual([undefined, "SUMMARY"]);
});

test("a page is not left unasked with what is neither kept nor saved", async () => {
  await loaded();
  const leaving = () => {
    const event = new Event("beforeunload", { cancelable: true });
    dispatchEvent(event);
    return event.defaultPrevented;
  };
  const write = (text: string) => {
    const note = document.querySelector("textarea")!;
    note.value = text;
    note.dispatchEvent(new Event("input", { bubbles: true }));
    flushSync();
  };
  write("kept");
  expect([leaving(), document.body.textContent.includes("box.not_kept")]).toEqual([false, false]);
  vi.stubGlobal("localStorage", undefined);
  write("not kept");
  expect([leaving(), document.body.textContent.includes("box.not_kept")]).toEqual([true, true]);
});
