import { describe, expect, test } from "vitest";
import { Camera } from "./camera.svelte";

const CELLS = ["0,0", "1,0", "0,1"];

/** A camera over a felt of 600 × 400 pixels. */
function camera(cells = CELLS, over = false): Camera {
  const made = new Camera(
    () => cells,
    () => over,
  );
  made.width = 600;
  made.height = 400;
  return made;
}

test("it shows all cards in the middle, with room for one more card on every side", () => {
  const eye = camera();
  expect(eye.shot).toMatchObject({ x: 0.5, y: 0.5 });
  const { left, top } = eye.pixelOf({ x: -2, y: 3 });
  const half = eye.shot.size / 2 - 1e-6;
  expect(left).toBeGreaterThan(half);
  expect(top).toBeGreaterThan(half);
});

test("pixels and points of the grid are each other's inverse", () => {
  const eye = camera();
  const point = { x: 2.25, y: -1.5 };
  const back = eye.pointAt(eye.pixelOf(point));
  expect(back.x).toBeCloseTo(point.x);
  expect(back.y).toBeCloseTo(point.y);
});

test("coming nearer keeps what is under the pixel where it is", () => {
  const eye = camera();
  const at = { left: 200, top: 120 };
  const before = eye.pointAt(at);
  eye.zoom(1.2, at);
  const after = eye.pointAt(at);
  expect(after.x).toBeCloseTo(before.x);
  expect(after.y).toBeCloseTo(before.y);
  expect(eye.whole).toBe(false);
});

test("it comes neither too near nor too far", () => {
  const eye = camera();
  const all = eye.shot.size;
  eye.zoom(1000);
  expect(eye.shot.size).toBe(150);
  eye.zoom(1e-6);
  expect(eye.shot.size).toBeCloseTo(all * 0.75);
});

test("it is panned no farther than a square beyond the cards", () => {
  const eye = camera();
  eye.pan(-1e6, 1e6);
  expect(eye.shot).toMatchObject({ x: 2, y: 2 });
});

test("a square that is out of sight brings all cards back; one in sight does not", () => {
  const eye = camera();
  eye.pan(10, 0);
  eye.keepInSight([{ x: 0, y: 0 }]);
  expect(eye.whole).toBe(false);
  eye.keepInSight([{ x: 40, y: 0 }]);
  expect(eye.whole).toBe(true);
});

describe("plates in the upper corners", () => {
  function plated(cells: string[]): Camera {
    const eye = camera(cells);
    eye.leftPlate = { width: 180, height: 50 };
    eye.rightPlate = { width: 150, height: 50 };
    return eye;
  }

  /** Where the corners of all cards and their room are. */
  function corners(eye: Camera, west: number, north: number, east: number) {
    const half = eye.shot.size / 2;
    const [one, other] = [eye.pixelOf({ x: west - 2, y: north + 2 }), eye.pixelOf({ x: east + 2, y: north + 2 })];
    return { left: one.left - half, top: one.top - half, right: other.left + half };
  }

  test("a table that does not reach them is in the middle", () => {
    const eye = plated(CELLS);
    eye.width = 900;
    expect(eye.shot).toMatchObject({ x: 0.5, y: 0.5, size: camera().shot.size });
  });

  test("a wide table stands below them", () => {
    const wide = Array.from({ length: 9 }, (_, x) => `${x},0`).concat("4,3");
    expect(corners(plated(wide), 0, 3, 8).top).toBeGreaterThanOrEqual(50 - 1e-6);
  });

  test("a high table stands between them", () => {
    const high = Array.from({ length: 9 }, (_, y) => `0,${y}`).concat("2,8", "-2,8");
    const { left, right } = corners(plated(high), -2, 8, 2);
    expect(left).toBeGreaterThanOrEqual(180 - 1e-6);
    expect(right).toBeLessThanOrEqual(600 - 150 + 1e-6);
  });
});

describe("squares that are too small for a finger", () => {
  const WIDE = Array.from({ length: 20 }, (_, x) => `${x},0`);

  test("it comes near with the squares that were chosen in sight, and goes back", () => {
    const eye = camera(WIDE);
    const all = eye.shot;
    const chosen = [
      { x: 20, y: 0 },
      { x: 21, y: 0 },
    ];
    eye.comeNear(eye.pixelOf(chosen[0]!), chosen);
    expect(eye.shot.size).toBe(52);
    for (const square of chosen) expect(eye.pixelOf(square).left).toBeLessThanOrEqual(600 - 26 + 1e-6);
    eye.goBack();
    expect(eye.shot).toEqual(all);
  });

  test("it stays where squares are large enough", () => {
    const eye = camera();
    eye.comeNear({ left: 10, top: 10 }, [{ x: 0, y: 0 }]);
    expect(eye.whole).toBe(true);
  });

  test("what somebody else brought near is left alone", () => {
    const eye = camera(WIDE);
    eye.zoom(3);
    eye.goBack();
    expect(eye.whole).toBe(false);
  });
});
