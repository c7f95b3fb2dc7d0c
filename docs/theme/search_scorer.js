// Guides come before records of measurements, and these before the reference of the Python interface.
const LAST = ["genindex", "py-modindex", "reference/python/"];
const LATER = ["reference/", "repository/"];

var Scorer = {
  score: ([name, , , , score]) => {
    if (LAST.some((start) => name.startsWith(start))) return score - 2000;
    return LATER.some((start) => name.startsWith(start)) ? score - 1000 : score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
