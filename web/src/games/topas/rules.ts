// The rules page: what its chapters say, which rulings of docs/rules/topas.md they tell, and the positions that show it:
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
      { words: "topas.rules.goal.1", rulings: ["1.1"] },
      { words: "topas.rules.goal.2", rulings: ["3.3"] },
    ],
    scene: [{ view: "over", say: "topas.rules.goal.scene" }],
  },
  {
    name: "deal",
    title: "rules.title_deal",
    paragraphs: [{ words: "topas.rules.deal.1", rulings: ["2.1"] }],
  },
  {
    name: "turn",
    title: "rules.title_turn",
    paragraphs: [
      { words: "topas.rules.turn.1", rulings: ["3.1", "3.6"] },
      { words: "topas.rules.turn.2", rulings: ["3.3", "3.5"] },
    ],
    scene: [
      { view: "turn0", say: "topas.rules.turn.s0" },
      {
        view: "turn1",
        say: "topas.rules.turn.s1",
        lit: ["-1,-1", "-1,0", "0,-1"],
        last: ["-1,-1", "-1,-2"],
      },
    ],
  },
  {
    name: "score",
    title: "rules.title_score",
    paragraphs: [
      { words: "topas.rules.score.1", rulings: ["3.2"] },
      { words: "topas.rules.score.2", rulings: ["3.3", "3.4"] },
    ],
    scene: [
      { view: "example1", say: "topas.rules.score.example1", lit: ["1,0", "2,0"], rulings: ["6.1"] },
      {
        view: "example2",
        say: "topas.rules.score.example2",
        lit: ["2,0", "2,-1", "3,0", "3,-1"],
        rulings: ["6.1"],
      },
      {
        view: "example3",
        say: "topas.rules.score.example3",
        lit: ["0,0", "0,-1", "1,-1", "1,0", "2,-1"],
        rulings: ["6.1"],
      },
      { view: "example4", say: "topas.rules.score.example4", lit: ["0,1", "0,0", "0,-1"], rulings: ["6.1"] },
      { view: "example5", say: "topas.rules.score.example5", rulings: ["6.1"] },
      {
        view: "expert",
        say: "topas.rules.score.scene",
        lit: ["2,-2", "3,-2", "4,-2", "4,-1", "4,0", "4,1"],
        last: ["4,-2", "4,-1"],
      },
    ],
  },
  {
    name: "seven",
    title: "topas.rules.seven.title",
    paragraphs: [{ words: "topas.rules.seven.1", rulings: ["3.2"] }],
    scene: [
      { view: "seven", say: "topas.rules.seven.scene", lit: ["1,-2", "1,-1", "1,0", "1,1"] },
      { view: "example6", say: "topas.rules.seven.example", lit: ["1,0", "2,0", "3,0"], rulings: ["6.2"] },
    ],
  },
  {
    name: "end",
    title: "rules.title_end",
    paragraphs: [{ words: "topas.rules.end.1", rulings: ["4.1", "4.2"] }],
  },
  {
    name: "alone",
    title: "topas.rules.alone.title",
    paragraphs: [
      { words: "topas.rules.alone.1", rulings: ["5.1"] },
      { words: "topas.rules.alone.2", rulings: ["5.1", "5.2"] },
    ],
    scene: [{ view: "alone", say: "topas.rules.alone.scene" }],
  },
  {
    name: "house",
    title: "rules.title_house",
    paragraphs: [
      { words: "topas.rules.house.1", rulings: ["1.2", "2.1"] },
      { words: "topas.rules.house.2", rulings: ["3.3"] },
      { words: "topas.rules.house.3", rulings: ["2.2"] },
      { words: "topas.rules.house.4", rulings: ["3.4"] },
      { words: "topas.rules.house.5", rulings: ["4.1"] },
      { words: "topas.rules.house.6", rulings: ["5.2"] },
      { words: "topas.rules.house.7", rulings: ["1.1"] },
    ],
  },
];

const untold = {
  "3.7": "how the program writes moves",
};

const views = { ...positions, ...examples } as unknown as GameRules["views"];

export default { chapters, views, untold } satisfies GameRules;
