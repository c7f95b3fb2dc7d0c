// The rules page: what its chapters say, which rulings of docs/rules/topiary.md they tell, and the positions that show it:
// those of a real game, and the examples of the printed rules, which `python -m studies.examples` writes.

import type { Chapter, GameRules } from "../../core/game";
import examples from "./examples.json";
import positions from "./rules.json";
import type { Word } from "./words";

const chapters: Chapter<Word>[] = [
  {
    name: "goal",
    title: "rules.title_goal",
    paragraphs: [
      { words: "topiary.rules.goal.1", rulings: ["1.1", "1.2"] },
      { words: "topiary.rules.goal.2", rulings: ["4.2"] },
    ],
    scene: [{ view: "over", say: "topiary.rules.goal.scene", lit: ["c2", "c3", "c4", "c5"] }],
  },
  {
    name: "deal",
    title: "rules.title_deal",
    paragraphs: [
      { words: "topiary.rules.deal.1", rulings: ["2.1", "2.2"] },
      { words: "topiary.rules.deal.2", rulings: ["1.3", "2.3"] },
      { words: "topiary.rules.deal.3", rulings: ["2.4"] },
      { words: "topiary.rules.deal.4", rulings: ["1.2"] },
    ],
  },
  {
    name: "turn",
    title: "rules.title_turn",
    paragraphs: [
      { words: "topiary.rules.turn.1", rulings: ["3.1"] },
      { words: "topiary.rules.turn.2", rulings: ["3.3", "3.4"] },
    ],
    scene: [
      { view: "turn0", say: "topiary.rules.turn.s0" },
      { view: "turn1", say: "topiary.rules.turn.s1", lit: ["a5"] },
      { view: "turn2", say: "topiary.rules.turn.s2" },
      { view: "turn3", say: "topiary.rules.turn.s3", last: ["a3"] },
    ],
  },
  {
    name: "sight",
    title: "topiary.rules.sight.title",
    paragraphs: [
      { words: "topiary.rules.sight.1", rulings: ["4.2"] },
      { words: "topiary.rules.sight.2", rulings: ["4.2"] },
    ],
    scene: [
      { view: "mine", say: "topiary.rules.sight.scene", lit: ["d2", "b4"] },
      { view: "example1", say: "topiary.rules.sight.example", rulings: ["5.1"] },
    ],
  },
  {
    name: "score",
    title: "rules.title_score",
    paragraphs: [
      { words: "topiary.rules.score.1", rulings: ["4.2", "4.3"] },
      { words: "topiary.rules.score.2", rulings: ["4.4"] },
    ],
    scene: [
      { view: "over", say: "topiary.rules.score.s0", lit: ["a2", "a3"] },
      { view: "example2", say: "topiary.rules.score.bonus", rulings: ["5.2"] },
      { view: "mine", say: "topiary.rules.score.s1", lit: ["a5"] },
      { view: "example3", say: "topiary.rules.score.hand", rulings: ["5.3"] },
    ],
  },
  {
    name: "end",
    title: "rules.title_end",
    paragraphs: [
      { words: "topiary.rules.end.1", rulings: ["4.1", "4.5"] },
      { words: "topiary.rules.end.2", rulings: ["4.5"] },
    ],
  },
  {
    name: "house",
    title: "rules.title_house",
    paragraphs: [
      { words: "topiary.rules.house.1", rulings: ["3.1"] },
      { words: "topiary.rules.house.2", rulings: ["2.1"] },
      { words: "topiary.rules.house.3", rulings: ["3.3"] },
      { words: "topiary.rules.house.4", rulings: ["5.5"] },
    ],
  },
];

const untold = {
  "3.2": "how the program writes lines",
  "3.5": "how the program counts in the middle of a turn",
  "5.4": "an example of a sum",
};

const views = { ...positions, ...examples } as unknown as GameRules["views"];

export default { chapters, views, untold } satisfies GameRules;
