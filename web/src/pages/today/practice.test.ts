import { expect, test } from "vitest";
import { savedTable } from "../../local/savedTables";
import { route } from "../../shell/route.svelte";
import { need } from "../../shell/words.svelte";
import { practise } from "./practice";

test("one goes to the table at once, and a second press sets no other", async () => {
  await need();
  const addresses = [0, 1].map(() => {
    practise({ game: "any", options: { players: 2 }, opponent: "level3" });
    return route.path;
  });
  const [first, second] = addresses.map((address) => address.replace(/^\/here\/any\//, ""));
  expect(second).toBe(first);
  await new Promise((done) => setTimeout(done, 50));
  expect(await savedTable(first!)).toBeDefined();
});
