import { type Decided, lineOf, part } from "../../core/sheets.testing";

const card = (seat: number, ...rows: number[]) =>
  lineOf(
    seat,
    "placement",
    rows.map((points) => part("row", points)),
  );
const entries = [card(0, 8), card(0, 7), card(0), card(1, 6, 3), card(1, 4, 4), card(1)];

const cases: Record<string, Decided> = {
  "cards with several rows": {
    entries,
    words: "You lost by 2 points; Bert’s cards with two rows or more brought 17 more.",
  },
  "cards with one row": {
    entries: [...entries, card(0, 6)],
    words: "You won by 4 points; your cards with a single row brought 21 more.",
  },
};
export default cases;
