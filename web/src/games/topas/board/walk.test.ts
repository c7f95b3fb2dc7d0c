import { expect, test } from "vitest";
import type { Offer } from "./offer";
import { walk } from "./walk";

const OFFERS: Offer[] = [
  { kind: "turned", cell: "0,0", heading: "N" },
  {
    kind: "fits",
    cell: "2,0",
    heading: "E",
    cells: [],
    move: { say: "", kind: "lay", piece: "", cells: [], to: null, heading: "E", points: 0, rows: [] },
  },
  { kind: "turned", cell: "1,3", heading: "N" },
];

test("without a square to start from it begins at the first that fits", () => {
  expect(walk(OFFERS, null, "ArrowUp")).toBe("2,0");
});

test("it goes to the nearest square ahead, and stays where there is none", () => {
  expect(walk(OFFERS, "0,0", "ArrowRight")).toBe("2,0");
  expect(walk(OFFERS, "0,0", "ArrowUp")).toBe("1,3");
  expect(walk(OFFERS, "0,0", "ArrowLeft")).toBe("0,0");
});
