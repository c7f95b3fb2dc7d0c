import { beforeEach, expect, test, vi } from "vitest";
import { catalogue } from "../../../client/api";
import type { CatalogueEntry } from "../../../client/catalogueEntry";
import { loadGames, seatsOf } from "../../../core/catalogue";
import { lastLevel } from "../../../core/levels";
import { device } from "../../../shell/store";
import { speak } from "../../../shell/words.svelte";
import {
  assistancesFor,
  chair,
  firstsFor,
  mayBeHere,
  newTable,
  remember,
  resize,
  seat,
  settingFor,
  settingForTwo,
  sittersNow,
} from "./setting";

vi.mock("../../../client/api", () => ({ catalogue: vi.fn() }));
const GAME: CatalogueEntry = {
  name: "lights",
  title: "Lights",
  players: [2, 1, 3],
  options: {
    expert: { values: [false, true], default: false, players: [2, 1, 3] },
    size: { values: [5, 7], default: 5, players: [2, 3] },
  },
  pace: 1,
  engine: "/engines/lights.wasm",
};

beforeEach(async () => {
  device.clear();
  vi.mocked(catalogue).mockResolvedValue({ games: [GAME], away: false });
  await loadGames();
  await speak("en");
});

test("the numbers of seats are those of the catalogue", () => {
  expect(seatsOf("lights")).toEqual({ least: 1, most: 3 });
});

test("a table begins with me, the bot that was played against last, and the options' defaults", () => {
  const setting = settingFor("lights");
  expect(setting.chairs.map(({ sitter }) => sitter)).toEqual(["me", "level2"]);
  expect(newTable(setting)).toMatchObject({
    game: "lights",
    options: { players: 2, expert: false, size: 5 },
    listed: false,
    pace: "human",
  });
});

test("an option is sent only with the numbers of players it is for", () => {
  const setting = { ...settingFor("lights"), chairs: [chair("me")], options: { expert: true, size: 7 } };
  expect(newTable(setting).options).toEqual({ players: 1, expert: true });
});

test("a sitter who swaps with me takes my chair", () => {
  const chairs = [chair("me"), chair("level3")];
  expect(seat(chairs, 1, "me").map(({ sitter }) => sitter)).toEqual(["level3", "me"]);
});

test("more chairs get a bot of the last level, fewer keep the first ones", () => {
  const three = resize("lights", [chair("me"), chair("level5")], 3);
  expect(three.map(({ sitter }) => sitter)).toEqual(["me", "level5", "level5"]);
  expect(resize("lights", three, 1).map(({ sitter }) => sitter)).toEqual(["me"]);
});

test("a table for a friend has a free seat", () => {
  const { seats, options } = newTable(settingForTwo("lights"));
  expect(seats.map(({ kind }) => kind)).toEqual(["me", "friend"]);
  expect(options.players).toBe(2);
});

test("friends come by link only where there is a server", async () => {
  expect(sittersNow()).toContain("friend");
  vi.mocked(catalogue).mockResolvedValue({ games: [GAME], away: true });
  await loadGames();
  expect(sittersNow()).not.toContain("friend");
  expect(sittersNow()).toContain("here");
});

test("twins are numbered, and a table is listed only while it has a free seat", () => {
  const setting = { ...settingFor("lights"), chairs: [chair("level1"), chair("level1")], listed: true };
  const { seats, listed } = newTable(setting);
  expect(seats[1]?.name).toBe(`${seats[0]?.name} 2`);
  expect(listed).toBe(false);
  expect(newTable({ ...setting, chairs: [chair("me"), chair("friend")] }).listed).toBe(true);
});

test("the level of the first bot is remembered for the next table", () => {
  remember({ ...settingFor("lights"), chairs: [chair("me"), chair("level6"), chair("level1")] });
  expect(lastLevel("lights")).toBe("level6");
});

test("among people only what is allowed is shown; alone what was chosen there the last time", () => {
  const alone = settingFor("lights");
  const shared = { ...alone, chairs: [chair("me"), chair("here")] };
  expect(newTable(alone).assistance).toBe("full");
  expect(newTable(shared).assistance).toBe("plain");
  remember({ ...shared, assistance: "full" });
  expect(newTable(alone).assistance).toBe("full");
  remember({ ...alone, assistance: "plain" });
  expect(newTable(alone).assistance).toBe("plain");
  remember({ ...shared, assistance: "full" });
  expect(newTable(alone).assistance).toBe("plain");
  expect(newTable({ ...shared, assistance: "full" }).assistance).toBe("full");
});

test("nothing is shown only where an engine says what can be tried", async () => {
  const played = "chess";
  vi.mocked(catalogue).mockResolvedValue({ games: [GAME, { ...GAME, name: played, attempts: true }], away: false });
  await loadGames();
  remember({ ...settingFor(played), assistance: "none" });
  expect(newTable(settingFor(played)).assistance).toBe("none");
  expect(assistancesFor(played)).toContain("none");
  expect(newTable(settingFor("lights")).assistance).toBe("full");
  expect(assistancesFor("lights")).toEqual(["full", "plain"]);
});

test("only a table with friends who come by link takes days", () => {
  const chairs = [chair("me"), chair("friend")];
  const setting = { ...settingFor("lights", "level3"), chairs, days: 7 as const, untilBack: true };
  const agreed = { days: 7, bot: "level3", until_back: true };
  expect(newTable(setting).slow).toEqual(agreed);
  expect(newTable({ ...setting, days: null }).slow).toBe(null);
  expect(newTable({ ...setting, screen: true }).slow).toBe(null);
  expect(newTable({ ...setting, chairs: [chair("me"), chair("here")] }).slow).toBe(null);
});

test("who begins is drawn unless somebody who is known is chosen, or those at one screen say it", () => {
  const bots = settingFor("lights");
  expect(newTable(bots).first).toBe("lot");
  expect(firstsFor(bots)).toEqual(["lot", 0, 1]);
  expect(newTable({ ...bots, first: 1 }).first).toBe(1);
  const here = { ...bots, chairs: [chair("me"), chair("here")] };
  expect(firstsFor(here)).toEqual(["lot", 0, 1, "open"]);
  const phones = { ...bots, chairs: [chair("me"), chair("friend"), chair("level1")], screen: true };
  expect(firstsFor(phones)).toEqual(["lot", 2, "open"]);
  const friends = { ...bots, chairs: [chair("me"), chair("friend"), chair("friend")] };
  expect(firstsFor(friends)).toEqual(["lot", 0]);
  expect(newTable({ ...friends, first: 1 }).first).toBe("lot");
  expect(firstsFor({ ...friends, listed: true })).toEqual(["lot"]);
});

test("what only a server does can't be played on this device", () => {
  const alone = settingFor("lights");
  expect(mayBeHere(alone)).toBe(true);
  expect(mayBeHere({ ...alone, chairs: [chair("me"), chair("here")] })).toBe(true);
  expect(mayBeHere({ ...alone, chairs: [chair("me"), chair("friend")] })).toBe(false);
  expect(mayBeHere({ ...alone, chairs: [chair("me"), chair("here")], first: "open" })).toBe(true);
  expect(mayBeHere({ ...alone, screen: true })).toBe(false);
  for (const other of [{ duel: true }, { box: {} }]) expect(mayBeHere({ ...alone, ...other })).toBe(true);
});
