import { expect, test, vi } from "vitest";
import type { TopasView } from "../../../../client/messages";
import rules from "../../rules.json";
import { Hand } from "./hand.svelte";

const VIEW = rules.turn0 as unknown as TopasView;

function hand(view: TopasView = VIEW, playing = true): Hand {
  return new Hand(
    () => view,
    () => playing,
  );
}

test("nothing is chosen before a card is, or while others play", () => {
  expect(hand().chosen).toBeNull();
  const watching = hand(VIEW, false);
  watching.choose("B3R1");
  expect(watching.chosen).toBeNull();
});

test("an only card is chosen by itself, and that counts as no pick", () => {
  const last = hand({ ...VIEW, hand: ["B3R1"] });
  expect(last.chosen).toBe("B3R1");
  expect(last.picked).toBe(false);
});

test("a card is turned by quarters, each card for itself", () => {
  const own = hand();
  own.choose("B3R1");
  own.turn();
  expect(own.heading).toBe("S");
  own.turn("N");
  expect(own.heading).toBe("N");
  own.choose("B3G2");
  expect(own.heading).toBe("E");
});

test("Escape lets go of the square first, then of the card", () => {
  const own = hand();
  own.choose("B3R1");
  own.turn("S");
  own.aim = "-1,-1";
  expect(own.aimed?.kind).toBe("fits");
  own.stepBack();
  expect(own.aim).toBeNull();
  expect(own.chosen).toBe("B3R1");
  expect(own.heading).toBe("S");
  own.stepBack();
  expect(own.chosen).toBeNull();
  expect(own.headingOf("B3R1")).toBe("E");
});

test("a click lays a card at once, but for what was clicked while the felt moved", () => {
  const now = vi.spyOn(performance, "now");
  const own = hand();
  own.choose("B3R1");
  own.aim = "-1,-1";
  expect(own.means("-1,-1", false)).toBe(true);
  expect(own.means("0,-1", false)).toBe(false);
  now.mockReturnValue(1000);
  own.shift();
  now.mockReturnValue(1349);
  expect(own.means("-1,-1", false)).toBe(false);
  now.mockReturnValue(1350);
  expect(own.means("-1,-1", false)).toBe(true);
});

test("what can't hover lays a card with its second tap, and so does a mouse that asks for that", () => {
  const own = hand();
  own.choose("B3R1");
  own.aim = "-1,-1";
  expect(own.means("-1,-1", true)).toBe(false);
  own.pin("-1,-1");
  expect(own.means("-1,-1", true)).toBe(true);
  own.confirms = true;
  own.aim = "0,-1";
  expect(own.means("0,-1", false)).toBe(false);
  own.pin("0,-1");
  expect(own.means("0,-1", false)).toBe(true);
  own.confirms = false;
});
