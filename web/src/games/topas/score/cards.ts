// The cards of Topas as they are chosen: for each two colours six, no number twice on one card.

const PAIRS = ["BG", "BR", "BY", "GR", "GY", "RY"];
const NUMBERS = ["12", "13", "21", "23", "31", "32"];

export const CARDS = PAIRS.flatMap(([first, second]) =>
  NUMBERS.map(([gems, others]) => `${first}${gems}${second}${others}`),
);
