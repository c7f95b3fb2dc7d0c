import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { catalogue, openTable } from "../../../client/api";
import { loadGames } from "../../../core/catalogue";
import { route } from "../../../shell/route.svelte";
import { speak } from "../../../shell/words.svelte";
import { Opening } from "./opening.svelte";
import { settingFor } from "./setting";

vi.mock("../../../client/api", () => ({ catalogue: vi.fn(), openTable: vi.fn() }));

beforeEach(async () => {
  vi.stubGlobal("scrollTo", vi.fn());
  const game = { name: "lights", title: "Lights", players: [2], options: {}, pace: 1 };
  vi.mocked(catalogue).mockResolvedValue({ games: [game], away: false });
  await loadGames();
  await speak("en");
});
afterEach(() => {
  vi.unstubAllGlobals();
  route.replace("/");
});

test.each([
  [false, "/table/one"],
  [true, "/screen/one"],
])(
  "a second press opens no second table while the page of the first one loads, on a screen: %s",
  async (screen, path) => {
    vi.mocked(openTable)
      .mockReset()
      .mockResolvedValue({ table: "one" } as never);
    const opening = new Opening();
    const setting = { ...settingFor("lights"), screen };
    await Promise.all([opening.open(setting), opening.open(setting)]);
    expect(route.path).toBe(path);
    await opening.open(setting);
    expect(openTable).toHaveBeenCalledOnce();
  },
);
