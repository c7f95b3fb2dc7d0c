// A card by its name: `B1G2` has one blue gem on its first half and two green ones on its second.

export interface Gems {
  colour: string;
  gems: number;
}

export function gemsOf(card: string): [Gems, Gems] {
  return [
    { colour: card.charAt(0), gems: Number(card.charAt(1)) },
    { colour: card.charAt(2), gems: Number(card.charAt(3)) },
  ];
}
