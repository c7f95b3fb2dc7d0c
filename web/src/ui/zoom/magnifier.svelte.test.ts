import { expect, test } from "vitest";
import { Magnifier } from "./magnifier.svelte";

/** A magnifier over a board of 400 × 400 pixels. */
function magnifier(): Magnifier {
  const made = new Magnifier();
  made.width = made.height = 400;
  return made;
}

/** Where in the frame a point of the whole board lies now. */
function shown(camera: Magnifier, at: number): number[] {
  const [x = 0, y = 0, scale = 1] = (camera.transform ?? "").match(/-?[\d.]+/g)?.map(Number) ?? [];
  return [x * 4 + at * scale, y * 4 + at * scale];
}

test("coming nearer keeps what is under the pixel where it is", () => {
  const camera = magnifier();
  camera.zoom(2, { left: 160, top: 160 });
  for (const place of shown(camera, 160)) expect(place).toBeCloseTo(160);
  camera.zoom(1.5, { left: 240, top: 240 });
  expect(camera.scale).toBe(3);
});

test("the whole board lies as it lay, and one pointer does not move it", () => {
  const camera = magnifier();
  camera.pan(50, 50);
  expect(camera).toMatchObject({ whole: true, draggable: false, transform: undefined });
  camera.zoom(2);
  camera.pan(-30, 20);
  camera.zoom(0.51);
  expect(camera).toMatchObject({ whole: true, transform: undefined });
});

test("it comes no nearer than four times, and hardly leaves the board", () => {
  const camera = magnifier();
  camera.zoom(100);
  expect(camera.scale).toBe(4);
  camera.pan(1e6, 1e6);
  for (const place of shown(camera, 0)) expect(place).toBeCloseTo(0.14 * 400);
});

test("a part that is out of sight is panned to, and one in sight moves nothing", () => {
  const camera = magnifier();
  camera.zoom(2);
  const before = camera.transform;
  camera.keepInSight({ left: 100, top: 350, width: 50, height: 50 });
  expect(camera.transform).toBe(before);
  camera.keepInSight({ left: -30, top: 380, width: 50, height: 50 });
  for (const [i, place] of shown(camera, 200).entries()) expect(place).toBeCloseTo([230, 170][i]!);
});

test("it is known which points of the board are in the frame", () => {
  const camera = magnifier();
  expect(camera.shows({ x: 10, y: 390 }, 400)).toBe(true);
  camera.zoom(2, { left: 0, top: 0 });
  expect(camera.shows({ x: 10, y: 10 }, 400)).toBe(true);
  expect(camera.shows({ x: 390, y: 10 }, 400)).toBe(false);
});
