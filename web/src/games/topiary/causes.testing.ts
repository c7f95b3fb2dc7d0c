import { type Decided, line, lineOf, part } from "../../core/sheets.testing";
import type { Part } from "../../client/messages";

const visitor = (seat: number, ...parts: Part[]) => lineOf(seat, "visitor", parts);
const large = [
  visitor(0, part("tile", 3), part("tile", 3), part("tile", 3), part("bonus", 3)), // the biggest visitor of all
  line(0, "hand", 2),
  visitor(1, part("tile", 5), part("tile", 4)),
  visitor(1, part("tile", 5)),
  line(1, "hand", 3),
];
const even = [visitor(0, part("tile", 5)), visitor(1, part("tile", 5))];
const three = [visitor(0, part("tile", 5)), line(1, "hand", 4), visitor(2, part("tile", 5)), line(2, "hand", 9)];

const cases: Record<string, Decided> = {
  "large sculptures, though another line is the biggest one": {
    entries: large,
    words: "You lost by 3 points; Bert’s visitors saw 14 more in sculptures of size 4 and 5.",
  },
  "large sculptures of the reader": {
    entries: large,
    mine: [1],
    words: "You won by 3 points; your visitors saw 14 more in sculptures of size 4 and 5.",
  },
  "a spectator reads the name of the winner": {
    entries: large,
    mine: [],
    words: /^Bert won by 3 points; Bert’s visitors saw 14 more/,
  },
  hands: { entries: [...even, line(0, "hand", 3)], words: /; the tiles in your hand brought 3 more\.$/ },
  pairs: {
    entries: [...even, visitor(1, part("bonus", 2))],
    words: /; tiles of one type in Bert’s lines of sight brought 2 more\.$/,
  },
  "small sculptures": {
    entries: [...even, visitor(1, part("tile", 3))],
    words: /; Bert’s visitors saw 3 more in sculptures of size 1 to 3\.$/,
  },
  "no cause explains more than half of the lead": {
    entries: [
      visitor(0, part("tile", 5), part("tile", 3), part("bonus", 2)),
      line(0, "hand", 2),
      visitor(1, part("tile", 1)),
    ],
    words: "You won by 11 points; the lead came from a little of everything.",
  },
  "who lost is compared with the winner": {
    entries: three,
    seats: 3,
    words: "You lost by 9 points; the tiles in Cleo’s hand brought 9 more.",
  },
  "who won is compared with the second": {
    entries: three,
    seats: 3,
    mine: [2],
    words: /^You won by 9 points; the tiles in your hand brought 9/,
  },
  "who lost by more than the cause": {
    entries: three,
    seats: 3,
    mine: [1],
    words: /^You lost by 10 points; the lead came from a little of/,
  },
  "nothing decided a game that was shared": {
    entries: [line(0, "hand", 4), line(1, "hand", 4)],
    words: "You share the win.",
  },
};
export default cases;
