import { type Decided, line } from "../../core/sheets.testing";

const element = (seat: number, piece: string) => line(seat, "element", Number(piece[1]), { piece });
const even = [line(0, "tile", 9), line(1, "tile", 9)];

const cases: Record<string, Decided> = {
  tiles: {
    entries: [...even, line(1, "tile", 3), element(0, "G1")],
    words: /by 2 points; the tiles that Bert kept brought 3 more\.$/,
  },
  "what gardeners build": {
    entries: [...even, element(0, "G3"), element(0, "G1"), element(1, "A1")],
    words: /; your hedges and mazes brought 4 more\.$/,
  },
  "what architects build": {
    entries: [...even, element(0, "A3")],
    words: /; your fountains, pools and terraces brought 3 more\.$/,
  },
};
export default cases;
