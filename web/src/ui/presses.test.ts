import { afterEach, expect, test } from "vitest";
import { clickOnce, pressOnce } from "./presses";

pressOnce();

afterEach(() => document.body.replaceChildren());

/** Whether a key that is pressed on an element reaches it. */
function reaches(html: string, key: string, repeat: boolean): boolean {
  document.body.innerHTML = html;
  const event = new KeyboardEvent("keydown", { key, repeat, bubbles: true, cancelable: true });
  document.body.firstElementChild!.dispatchEvent(event);
  return !event.defaultPrevented;
}

test.each([
  ["<button></button>", "Enter"],
  ["<button></button>", " "],
  ["<div tabindex=0 role=gridcell></div>", "Enter"],
  ["<a href=/x></a>", "Enter"],
  ["<input>", "Enter"],
  ["<input type=checkbox>", " "],
])("%s takes a held %s once", (html, key) => {
  expect(reaches(html, key, false)).toBe(true);
  expect(reaches(html, key, true)).toBe(false);
});

test.each([
  ["<input>", " "],
  ["<textarea></textarea>", "Enter"],
  ["<button></button>", "ArrowRight"],
  ["<p></p>", " "],
])("%s takes a held %s as long as it is held", (html, key) => {
  expect(reaches(html, key, true)).toBe(true);
});

test("the second half of a double click is not spent on the position that followed the first", () => {
  let position = 1;
  let clicks = 0;
  document.body.innerHTML = "<div><button></button></div>";
  const button = document.querySelector("button")!;
  const leave = clickOnce(() => position)(document.querySelector("div")!);
  button.addEventListener("click", () => clicks++);
  const click = (detail: number) => button.dispatchEvent(new MouseEvent("click", { detail, bubbles: true }));
  click(1);
  click(2);
  expect(clicks).toBe(2);
  click(1);
  position = 2;
  click(2);
  expect(clicks).toBe(3);
  click(1);
  click(0); // by a key
  expect(clicks).toBe(5);
  if (leave) leave();
});
