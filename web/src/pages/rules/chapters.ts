// The chapters of each game: what they say, and the positions of a real game that show it.

import type { GameName } from "../../lib/games";
import type { Key } from "../../lib/words.svelte";

export interface Chapter {
  name: "goal" | "people" | "card" | "turn" | "sight" | "seven" | "over" | "score" | "end" | "alone" | "house";
  paragraphs: Key[];
  scene?: Step[];
}

/** One position of a scene. Where its view holds a move, playing it leads to the next step. */
export interface Step {
  /** Its name in the game's file of views. */
  view: string;
  say: Key;
  lit?: string[];
  last?: string[];
}

export const CHAPTERS: Record<GameName, Chapter[]> = {
  topiary: [
    {
      name: "goal",
      paragraphs: ["rules.topiary.goal.1", "rules.topiary.goal.2"],
      scene: [{ view: "over", say: "rules.topiary.goal.scene", lit: ["c2", "c3", "c4", "c5"] }],
    },
    {
      name: "turn",
      paragraphs: ["rules.topiary.turn.1", "rules.topiary.turn.2"],
      scene: [
        { view: "turn0", say: "rules.topiary.turn.s0" },
        { view: "turn1", say: "rules.topiary.turn.s1", lit: ["a5"] },
        { view: "turn2", say: "rules.topiary.turn.s2" },
        { view: "turn3", say: "rules.topiary.turn.s3", last: ["a3"] },
      ],
    },
    {
      name: "sight",
      paragraphs: ["rules.topiary.sight.1", "rules.topiary.sight.2"],
      scene: [{ view: "mine", say: "rules.topiary.sight.scene", lit: ["d2", "b4"] }],
    },
    {
      name: "score",
      paragraphs: ["rules.topiary.score.1", "rules.topiary.score.2"],
      scene: [
        { view: "over", say: "rules.topiary.score.s0", lit: ["a2", "a3"] },
        { view: "mine", say: "rules.topiary.score.s1", lit: ["a5"] },
      ],
    },
    { name: "end", paragraphs: ["rules.topiary.end.1", "rules.topiary.end.2", "rules.topiary.end.3"] },
    { name: "house", paragraphs: ["rules.topiary.house.1", "rules.topiary.house.2", "rules.topiary.house.3"] },
  ],
  topas: [
    {
      name: "goal",
      paragraphs: ["rules.topas.goal.1", "rules.topas.goal.2"],
      scene: [{ view: "over", say: "rules.topas.goal.scene" }],
    },
    {
      name: "turn",
      paragraphs: ["rules.topas.turn.1", "rules.topas.turn.2"],
      scene: [
        { view: "turn0", say: "rules.topas.turn.s0" },
        {
          view: "turn1",
          say: "rules.topas.turn.s1",
          lit: ["-1,-1", "-1,0", "0,-1"],
          last: ["-1,-1", "-1,-2"],
        },
      ],
    },
    {
      name: "score",
      paragraphs: ["rules.topas.score.1", "rules.topas.score.2"],
      scene: [
        {
          view: "expert",
          say: "rules.topas.score.scene",
          lit: ["2,-2", "3,-2", "4,-2", "4,-1", "4,0", "4,1"],
          last: ["4,-2", "4,-1"],
        },
      ],
    },
    {
      name: "seven",
      paragraphs: ["rules.topas.seven.1"],
      scene: [{ view: "seven", say: "rules.topas.seven.scene", lit: ["1,-2", "1,-1", "1,0", "1,1"] }],
    },
    { name: "end", paragraphs: ["rules.topas.end.1"] },
    {
      name: "alone",
      paragraphs: ["rules.topas.alone.1", "rules.topas.alone.2"],
      scene: [{ view: "alone", say: "rules.topas.alone.scene" }],
    },
    { name: "house", paragraphs: ["rules.topas.house.1", "rules.topas.house.2", "rules.topas.house.3"] },
  ],
  schlossgarten: [
    {
      name: "goal",
      paragraphs: ["rules.schlossgarten.goal.1", "rules.schlossgarten.goal.2"],
      scene: [{ view: "over", say: "rules.schlossgarten.goal.scene", lit: ["e6", "e7", "f7"] }],
    },
    {
      name: "people",
      paragraphs: ["rules.schlossgarten.people.1"],
      scene: [{ view: "start", say: "rules.schlossgarten.people.scene", lit: ["c1", "d1", "e1", "c7", "d7", "e7"] }],
    },
    {
      name: "card",
      paragraphs: ["rules.schlossgarten.card.1", "rules.schlossgarten.card.2"],
      scene: [{ view: "turn3", say: "rules.schlossgarten.card.scene", lit: ["e2", "d2", "e1"] }],
    },
    {
      name: "turn",
      paragraphs: ["rules.schlossgarten.turn.1", "rules.schlossgarten.turn.2", "rules.schlossgarten.turn.3"],
      scene: [
        { view: "turn0", say: "rules.schlossgarten.turn.s0" },
        { view: "turn1", say: "rules.schlossgarten.turn.s1", last: ["e2"] },
        { view: "turn2", say: "rules.schlossgarten.turn.s2", lit: ["e2", "d2", "e1"], last: ["d2"] },
        { view: "turn3", say: "rules.schlossgarten.turn.s3", lit: ["e2", "d2", "e1"] },
        { view: "turn4", say: "rules.schlossgarten.turn.s4", last: ["d1"] },
        { view: "turn5", say: "rules.schlossgarten.turn.s5", lit: ["d1"] },
      ],
    },
    {
      name: "over",
      paragraphs: ["rules.schlossgarten.over.1"],
      scene: [
        { view: "before", say: "rules.schlossgarten.over.s0", lit: ["e2", "f2"], last: ["e3"] },
        { view: "after", say: "rules.schlossgarten.over.s1", last: ["e2", "e3", "f2"] },
      ],
    },
    { name: "score", paragraphs: ["rules.schlossgarten.score.1", "rules.schlossgarten.score.2"] },
    {
      name: "house",
      paragraphs: [
        "rules.schlossgarten.house.1",
        "rules.schlossgarten.house.2",
        "rules.schlossgarten.house.3",
        "rules.schlossgarten.house.4",
        "rules.schlossgarten.house.5",
        "rules.schlossgarten.house.6",
      ],
    },
  ],
};
