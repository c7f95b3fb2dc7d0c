import { describe, expect, test } from "vitest";
import { addressOf, tableLinkIn, readLink } from "./link";

const TABLE = "http://host.example/table/aB-3_x9";
const MARK = "T0-k_eN";

describe("an invitation is found in", () => {
  const whole = `${TABLE}#${MARK}`;
  test.each([
    whole,
    ...[".", ")", "]", ">", ",", ";", ":", "!", "?", '"', "'", "”", "’", "»", "*", "…", "%20", " ", "\u00a0", "\n"].map(
      (end) => whole + end,
    ),
    `${whole}).`,
    `${whole}>,`,
    `${whole}\u200b`,
    `${whole}%E2%80%8B`,
    `${whole}\ufeff`,
    `${whole.slice(0, -2)}\u200beN`,
    `${whole}?utm_source=x&utm_medium=y`,
    `${whole}&fbclid=IwAR1`,
    `${whole}#:~:text=Ann`,
    `${whole}:~:text=Ann`,
    `${whole}/`,
    `${TABLE}/#${MARK}`,
    `${TABLE}?fbclid=IwAR1#${MARK}`,
    `${TABLE}/?x=1#${MARK}`,
    `${TABLE}%23${MARK}`,
    `${TABLE}%2523${MARK}`,
    `${TABLE}%252523${MARK}.`,
    `${TABLE}/%23${MARK}`,
    `${TABLE}%23${MARK}?utm_source=x`,
    `${TABLE}%3Futm_source=x%23${MARK}`,
    `${TABLE}?utm_source=x%23${MARK}`,
    `${TABLE}%EF%BC%83${MARK}`,
    `${TABLE}.#${MARK}`,
    `${TABLE}%20#${MARK}`,
    whole.replace("/table/", "//table/"),
    whole.replace("/table/", "/table//"),
    whole.replace("/table/", "/Table/"),
    whole.replace("/table/", "/TABLE/"),
    whole.replace("/table/", "/table%2F"),
    whole.replace("host", "HOST"),
    whole.replace("http", "HTTPS"),
  ])("%s", (address) => expect(readLink(address)).toMatchObject({ path: "/table/aB-3_x9", mark: MARK }));
});

test.each([
  ["/", "/"],
  ["", "/"],
  ["/.", "/"],
  ["/%20", "/"],
  ["/?utm_source=x", "/?utm_source=x"],
  ["/table/aB3.", "/table/aB3"],
  ["/replay/aB3#12.", "/replay/aB3#12"],
  ["/replay/aB3%23ply12)", "/replay/aB3#ply12"],
  ["/replay#ply3", "/replay#ply3"],
  ["/me#c0d-E,", "/me#c0d-E"],
  ["/me?notices&utm_source=mail", "/me?notices&utm_source=mail"],
  ["/mail/confirm%23c0dE>", "/mail/confirm#c0dE"],
  ["/mail/stop/t0k_eN.", "/mail/stop/t0k_eN"],
  ["/puzzles/lights/2026-11-26).", "/puzzles/lights/2026-11-26"],
  ["/Puzzles/Lights/2026-11-26", "/puzzles/lights/2026-11-26"],
  ["/today/2026-11-26,", "/today/2026-11-26"],
  ["/rules/Lights#sight.", "/rules/lights#sight"],
  ["/history?opponent=A%26B%20%C3%A9&game=lights", "/history?opponent=A%26B%20%C3%A9&game=lights"],
  ["/table/aB3?teach", "/table/aB3?teach"],
  ["/table/%zz%", "/table/zz"],
])("%s is %s", (given, right) => expect(addressOf(readLink(given))).toBe(right));

test("what is right stays", () => {
  for (const right of ["/table/aB3#k-_y", "/history?from=2026-01-01", "/screen/x", "/"]) {
    expect(addressOf(readLink(right))).toBe(right);
  }
});

test.each([
  `Come and play: ${TABLE}#${MARK}!`,
  `<${TABLE}#${MARK}>`,
  `[a table](${TABLE}#${MARK})`,
  `https://l.facebook.example/l.php?u=${encodeURIComponent(`${TABLE}#${MARK}`)}&h=AT0x`,
  `host.example/table/aB-3_x9#${MARK}`,
  `/table/aB-3_x9#${MARK}`,
])("a table is found in %s", (text) => expect(addressOf(tableLinkIn(text)!)).toBe(`/table/aB-3_x9#${MARK}`));

test.each(["", "table", "http://host.example/rules/lights", "http://host.example/table/", "x7Yz"])(
  "no table is found in %j",
  (text) => expect(tableLinkIn(text)).toBeUndefined(),
);
