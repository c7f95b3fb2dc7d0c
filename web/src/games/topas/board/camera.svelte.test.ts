import { expect, test } from "vitest";
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
