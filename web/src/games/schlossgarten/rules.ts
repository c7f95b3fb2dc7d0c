// The rules page: what its chapters say, which rulings of docs/rules/schlossgarten.md they tell, and the positions of a
// real game that show it.

import type { Chapter, GameRules } from "../../core/game";
import views from "./rules.json";
import type { Word } from "./words";

const chapters: Chapter<Word>[] = [
  {
    name: "goal",
    title: "rules.title_goal",
    paragraphs: [
      { words: "schlossgarten.rules.goal.1", rulings: ["1.1"] },
      { words: "schlossgarten.rules.goal.2", rulings: ["5.1"] },
    ],
    scene: [{ view: "over", say: "schlossgarten.rules.goal.scene", lit: ["e6", "e7", "f7"] }],
  },
  {
    name: "people",
    title: "schlossgarten.rules.people.title",
    paragraphs: [
      { words: "schlossgarten.rules.people.1", rulings: ["1.3"] },
      { words: "schlossgarten.rules.people.2", rulings: ["2.1"] },
      { words: "schlossgarten.rules.people.3", rulings: ["1.2"] },
    ],
    scene: [{ view: "start", say: "schlossgarten.rules.people.scene", lit: ["c1", "d1", "e1", "c7", "d7", "e7"] }],
  },
  {
    name: "card",
    title: "schlossgarten.rules.card.title",
    paragraphs: [
      { words: "schlossgarten.rules.card.1", rulings: ["1.4", "3.1"] },
      { words: "schlossgarten.rules.card.2", rulings: ["4.1"] },
      { words: "schlossgarten.rules.card.3", rulings: ["4.1"] },
    ],
    scene: [{ view: "turn3", say: "schlossgarten.rules.card.scene", lit: ["e2", "d2", "e1"] }],
  },
  {
    name: "turn",
    title: "rules.title_turn",
    paragraphs: [
      { words: "schlossgarten.rules.turn.1", rulings: ["3.1"] },
      { words: "schlossgarten.rules.turn.2", rulings: ["3.2", "3.6"] },
      { words: "schlossgarten.rules.turn.3", rulings: ["3.3"] },
      { words: "schlossgarten.rules.turn.4", rulings: ["3.4"] },
      { words: "schlossgarten.rules.turn.5", rulings: ["3.5"] },
      { words: "schlossgarten.rules.turn.6", rulings: ["3.2"] },
    ],
    scene: [
      { view: "turn0", say: "schlossgarten.rules.turn.s0" },
      { view: "turn1", say: "schlossgarten.rules.turn.s1", last: ["e2"] },
      { view: "turn2", say: "schlossgarten.rules.turn.s2", lit: ["e2", "d2", "e1"], last: ["d2"] },
    ],
  },
  {
    name: "work",
    title: "schlossgarten.rules.work.title",
    paragraphs: [
      { words: "schlossgarten.rules.work.1", rulings: ["4.2"] },
      { words: "schlossgarten.rules.work.2", rulings: ["4.2"] },
      { words: "schlossgarten.rules.work.3", rulings: ["1.1", "4.3"] },
      { words: "schlossgarten.rules.work.4", rulings: ["4.4"] },
    ],
    scene: [
      { view: "turn3", say: "schlossgarten.rules.work.s0", lit: ["e2", "d2", "e1"] },
      { view: "turn4", say: "schlossgarten.rules.work.s1", last: ["d1"] },
      { view: "turn5", say: "schlossgarten.rules.work.s2", lit: ["d1"] },
    ],
  },
  {
    name: "over",
    title: "schlossgarten.rules.over.title",
    paragraphs: [{ words: "schlossgarten.rules.over.1", rulings: ["4.4", "4.5"] }],
    scene: [
      { view: "before", say: "schlossgarten.rules.over.s0", lit: ["e2", "f2"], last: ["e3"] },
      { view: "after", say: "schlossgarten.rules.over.s1", last: ["e2", "e3", "f2"] },
    ],
  },
  {
    name: "score",
    title: "rules.title_score",
    paragraphs: [
      { words: "schlossgarten.rules.score.1", rulings: ["4.5", "4.6"] },
      { words: "schlossgarten.rules.score.2", rulings: ["5.1"] },
    ],
  },
  {
    name: "house",
    title: "rules.title_house",
    paragraphs: [
      { words: "schlossgarten.rules.house.1", rulings: ["1.1"] },
      { words: "schlossgarten.rules.house.2", rulings: ["1.4"] },
      { words: "schlossgarten.rules.house.3", rulings: ["2.2"] },
      {
        words: "schlossgarten.rules.house.4",
        rulings: ["1.1", "1.4", "2.2"],
        leads: { to: "box/schlossgarten", words: "common.box_draw" },
      },
      { words: "schlossgarten.rules.house.5", rulings: ["3.3"] },
      { words: "schlossgarten.rules.house.6", rulings: ["3.4"] },
      { words: "schlossgarten.rules.house.7", rulings: ["3.5"] },
      { words: "schlossgarten.rules.house.8", rulings: ["4.1"] },
      { words: "schlossgarten.rules.house.9", rulings: ["4.2"] },
      { words: "schlossgarten.rules.house.10", rulings: ["4.3", "4.4"] },
      { words: "schlossgarten.rules.house.11", rulings: ["4.4"] },
      { words: "schlossgarten.rules.house.12", rulings: ["5.2"] },
    ],
  },
];

export default { chapters, views: views as unknown as GameRules["views"], untold: {} } satisfies GameRules;
