import { expect, test } from "vitest";
import { SOUNDS, synthesise } from "./synthesis";

const RATE = 44_100;

test.each(SOUNDS)("%s is heard, is short, does not clip, and ends in silence", async (name) => {
  const samples = await synthesise(name, RATE);
  const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const power = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
  expect(loudest).toBeGreaterThan(0.2);
  expect(loudest).toBeLessThan(0.5);
  expect(power).toBeGreaterThan(0.01);
  expect(samples.length / RATE).toBeLessThanOrEqual(name === "bell" ? 1.5 : 0.5);
  expect(Math.abs(samples[0]!)).toBeLessThan(0.02);
  expect(Math.abs(samples.at(-1)!)).toBeLessThan(0.001);
});

test("sounds are told apart, and are the same every time", async () => {
  const made = await Promise.all(SOUNDS.map((name) => synthesise(name, 8000)));
  const heard = made.map((samples) => samples.slice(0, 1500).join());
  expect(new Set(heard).size).toBe(SOUNDS.length);
  expect(await synthesise("gravel", 8000)).toEqual(await synthesise("gravel", 8000));
});

test("the page answers while a sound is computed", async () => {
  let answered = false;
  setTimeout(() => (answered = true));
  await synthesise("bell", RATE);
  expect(answered).toBe(true);
});
