import { describe, expect, test } from "vitest";
import type { TopasMove, TopasView } from "../../../client/messages";
import rules from "../rules.json";
import { type Fits, offers, onFrom } from "./offer";

const VIEW = rules.turn0 as unknown as TopasView;

function move(card: string, cell: string, heading: string, second: string): TopasMove {
  return {
    say: `${card}@${cell}${heading}`,
    kind: "lay",
    piece: card,
    cells: [cell, second],
    to: null,
    heading,
    points: 3,
    rows: [],
  };
}

test("a card is turned on clockwise, and comes back to where it heads last", () => {
  expect(onFrom("E")).toEqual(["S", "W", "N", "E"]);
  expect(onFrom("N")).toEqual(["E", "S", "W", "N"]);
});

describe("what squares offer to a card", () => {
  const moves = [
    move("B3R1", "-1,-1", "S", "-1,-2"),
    move("B3R1", "5,5", "S", "5,4"),
    move("B3R1", "5,5", "W", "4,5"),
    move("G2Y3", "7,7", "E", "8,7"),
  ];
  const view: TopasView = { ...VIEW, forbidden: [], moves };

  test("a square fits where the card lies as it is turned, with its move", () => {
    const offer = offers(view, "B3R1", "S").get("-1,-1");
    expect(offer).toMatchObject({ kind: "fits", cells: ["-1,-1", "-1,-2"] });
    expect((offer as Fits).move).toBe(moves[0]);
  });

  test("a square that needs another heading says the one that comes first", () => {
    expect(offers(view, "B3R1", "E").get("5,5")).toEqual({ kind: "turned", cell: "5,5", heading: "S" });
    expect(offers(view, "B3R1", "S").get("5,5")).toMatchObject({ kind: "fits" });
    expect(offers(view, "B3R1", "N").get("-1,-1")).toEqual({ kind: "turned", cell: "-1,-1", heading: "S" });
  });

  test("moves of another card offer nothing", () => {
    expect([...offers(view, "B3R1", "E").keys()]).toEqual(["-1,-1", "5,5"]);
    expect(offers(view, "R1Y2", "E").size).toBe(0);
  });
});

test("a row that would grow too long forbids a square while the card is turned so, and is shown", () => {
  const row = { colour: "B", gems: 9, cells: ["0,-3", "0,-2", "0,-1", "0,0"] };
  const forbidden = [{ piece: "B3R1", heading: "S", cells: ["0,-3", "0,-4"], row }];
  const view = { ...VIEW, moves: [], forbidden };
  expect(offers(view, "B3R1", "S").get("0,-3")).toEqual({
    kind: "forbidden",
    cell: "0,-3",
    cells: ["0,-3", "0,-4"],
    row,
  });
  expect(offers(view, "B3R1", "E").size).toBe(0);
  expect(offers(view, "B3G2", "S").size).toBe(0);
});

test("the server forbids what the scene of the rules shows", () => {
  // Blue gems lie at 0,0 to 0,-2: at 0,-3 one more would fit, and B3 has three.
  expect(offers({ ...VIEW, moves: [] }, "B3R1", "S").get("0,-3")).toMatchObject({
    kind: "forbidden",
    row: { gems: 9 },
  });
});
