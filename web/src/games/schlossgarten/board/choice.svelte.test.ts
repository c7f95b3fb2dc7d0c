import { describe, expect, test, vi } from "vitest";
import type { Figure, SchlossgartenMove, SchlossgartenView } from "../../../client/messages";
import rules from "../rules.json";
import { Choice } from "./choice.svelte";
import { MARKS } from "./pawns";

const MOVING = rules.turn0 as unknown as SchlossgartenView;
const WORKING = rules.turn3 as unknown as SchlossgartenView;

/** As the server writes them; a field that says nothing is left out. */
function move(
  say: string,
  kind: SchlossgartenMove["kind"],
  cells: string[],
  more: Partial<SchlossgartenMove> = {},
): SchlossgartenMove {
  const pawn = MARKS.find((mark) => say.startsWith(mark));
  return { say, kind, cells, points: 0, ...(pawn && { pawn }), ...more };
}

function choose(
  moves: SchlossgartenMove[],
  view = MOVING,
  attempting = false,
): { choice: Choice; onmove: ReturnType<typeof vi.fn> } {
  const onmove = vi.fn<(say: string) => void>();
  const given = { ...view, moves };
  const choice = new Choice(
    () => given,
    () => onmove,
    () => attempting,
  );
  return { choice, onmove };
}

const STEPS = [
  move("K e2", "step", ["e2"]),
  move("G c2", "step", ["c2"]),
  move("G d2 hit c4", "hit", ["d2"], { refuge: "c4" }),
  move("G d2 hit c5", "hit", ["d2"], { refuge: "c5" }),
  move("stop", "stop", []),
];

describe("moving", () => {
  test("where no moves are sent nothing is marked, and anything can be tried", () => {
    const { choice, onmove } = choose(STEPS, MOVING, true);
    choice.hold("K");
    expect(choice.marked.size).toBe(0);
    choice.pick("e2", null, "mouse");
    expect(onmove).toHaveBeenCalledWith("K e2");
    expect(choice.pawn).toBe("K");
  });

  test("a cell that is pressed with nothing in hand is missed, until a pawn is held", () => {
    const { choice, onmove } = choose(STEPS, MOVING, true);
    choice.pick("e2", null, "mouse");
    choice.pick("e2", null, "mouse");
    expect(choice.missed).toBe(2);
    choice.hold("K");
    expect(choice.missed).toBe(0);
    choice.pick("e2", null, "mouse");
    expect(choice.missed).toBe(0);
    expect(onmove).toHaveBeenCalledTimes(1);
  });

  test("pawns that can move can be held; one in hand is let go by holding it again", () => {
    const { choice } = choose(STEPS);
    expect(choice.movable).toEqual(["K", "G"]);
    expect(choice.pawn).toBeNull();
    choice.hold("G");
    expect(choice.pawn).toBe("G");
    choice.hold("G");
    expect(choice.pawn).toBeNull();
  });

  test("the only pawn that can move is in hand by itself, and its cell plays", () => {
    const { choice, onmove } = choose([move("K e2", "step", ["e2"]), move("stop", "stop", [])]);
    expect(choice.pawn).toBe("K");
    expect([...choice.targets]).toEqual([["e2", "step"]]);
    choice.pick("e2", null, "mouse");
    expect(onmove).toHaveBeenCalledExactlyOnceWith("K e2");
  });

  test("a pawn is taken up where it stands", () => {
    const { choice } = choose(STEPS);
    choice.pick("c1", null, "mouse");
    expect(choice.pawn).toBe("G");
    choice.pick("a7", null, "mouse");
    expect(choice.pawn).toBeNull();
  });

  test("where a hit leaves several refuges, the refuge is picked next; Escape steps back", () => {
    const { choice, onmove } = choose(STEPS);
    choice.hold("G");
    choice.pick("d2", null, "mouse");
    expect(onmove).not.toHaveBeenCalled();
    expect(choice.hitCell).toBe("d2");
    expect([...choice.targets]).toEqual([
      ["c4", "refuge"],
      ["c5", "refuge"],
    ]);
    choice.back();
    expect(choice.hitCell).toBeNull();
    choice.pick("d2", null, "mouse");
    choice.pick("c5", null, "mouse");
    expect(onmove).toHaveBeenCalledExactlyOnceWith("G d2 hit c5");
  });

  test("who only watches can pick nothing", () => {
    const choice = new Choice(
      () => ({ ...MOVING, moves: STEPS }),
      () => undefined,
    );
    expect(choice.moves).toEqual([]);
    expect(choice.movable).toEqual([]);
  });
});

describe("working", () => {
  const WORKS = [
    move("A dig d1", "dig", ["d1"]),
    move("A build 1 e3", "build", ["e3"], { points: 3 }),
    move("A build 1 g7", "build", ["g7"], { points: 1 }),
    move("A build 2 e3 e4", "build", ["e3", "e4"], { points: 5 }),
    move("end", "end", []),
  ];

  test("the tools are those that something can be done with, the spade first", () => {
    const { choice } = choose(WORKS, WORKING);
    expect(choice.tools).toEqual(["dig", 1, 2]);
    expect(choice.tool).toBe("dig");
    choice.take(2);
    expect(choice.sites.map(({ say }) => say)).toEqual(["A build 2 e3 e4"]);
    expect(choice.site?.say).toBe("A build 2 e3 e4");
  });

  test("a finger looks at a site first and builds on the second tap", () => {
    const { choice, onmove } = choose(WORKS, WORKING);
    choice.take(1);
    choice.pick("e3", null, "touch");
    expect(choice.site?.say).toBe("A build 1 e3");
    expect(onmove).not.toHaveBeenCalled();
    choice.pick("e3", null, "touch");
    expect(onmove).toHaveBeenCalledExactlyOnceWith("A build 1 e3");
  });

  test("a mouse builds at once", () => {
    const { choice, onmove } = choose(WORKS, WORKING);
    choice.take(1);
    choice.pick("g7", null, "mouse");
    expect(onmove).toHaveBeenCalledExactlyOnceWith("A build 1 g7");
  });

  test("one site after the other is looked at", () => {
    const { choice } = choose(WORKS, WORKING);
    choice.take(1);
    choice.turn();
    expect(choice.site?.say).toBe("A build 1 e3");
    choice.turn();
    expect(choice.site?.say).toBe("A build 1 g7");
    choice.turn();
    expect(choice.site?.say).toBe("A build 1 e3");
  });
});

test("of a figure that is aimed at only what is still to be walked stays", () => {
  const data = [["K", "e2"] as const, ["G", "d2"] as const, ["G", "d3"] as const].map(([pawn, to]) =>
    move(`${pawn} ${to}`, "step", [to], { to }),
  );
  const figure: Figure = { pawns: {}, foreign: [], path: data.map(({ say }) => say), data, works: [], points: 0 };
  let view = MOVING;
  const choice = new Choice(
    () => view,
    () => undefined,
  );
  choice.aimAt(figure);
  expect(choice.ahead?.data).toEqual(data);
  view = rules.turn1 as unknown as SchlossgartenView;
  const later = new Choice(
    () => view,
    () => undefined,
  );
  later.aimAt({ ...figure, data: data.slice(1) });
  expect(later.ahead?.data).toEqual(data.slice(1));
});
