// All tables of this device, and its answers to puzzles, in one file, to be kept elsewhere or taken to another device.

import { answers, isAnswer, takeInAnswers } from "./puzzleAnswers";
import { deleteTable, saveTable, savedTable, savedTables } from "./savedTables";
import { textOf } from "../ui/jsonFile";
import { isObject, type SavedTable, wrongIn } from "./reading";
import type { KeptPuzzle } from "../client/messages";

const FORMAT = "bosquet-device/1";
/** A longer file is not read, in bytes. */
const LONGEST = 50_000_000;

/** Why a file can't be taken in: it is no such file, or what is wrong stands at a place of it. */
export class CarryError extends Error {
  constructor(readonly place: string | undefined) {
    super(place ?? `no ${FORMAT}`);
  }
}

/** Write all tables of this device, and its answers to puzzles. */
export async function written(): Promise<string> {
  return JSON.stringify({ format: FORMAT, tables: await savedTables(), answers: answers() });
}

/** Keep what a file holds beside what is here; return how many tables are new or further on. Raises CarryError. */
export async function takeIn(file: Blob): Promise<number> {
  if (file.size > LONGEST) throw new CarryError(undefined);
  const { tables, answers } = contentOf((await textOf(file)) ?? "");
  takeInAnswers(answers);
  let taken = 0;
  for (const table of tables) {
    const here = await savedTable(table.id);
    if (here && Date.parse(here.changed) >= Date.parse(table.changed)) continue;
    if (here) await deleteTable(here.id); // what the coach found there is of another game
    await saveTable(table);
    taken += 1;
  }
  return taken;
}

interface Content {
  tables: SavedTable[];
  answers: KeptPuzzle[];
}

/** Read a file, all of it before anything is kept. Raises CarryError. */
function contentOf(text: string): Content {
  const found = parsed(text);
  if (!isObject(found) || found["format"] !== FORMAT) throw new CarryError(undefined);
  const { tables, answers = [] } = found;
  if (!Array.isArray(tables)) throw new CarryError("tables");
  for (const [index, table] of tables.entries()) {
    const wrong = wrongIn(table);
    if (wrong) throw new CarryError(`tables[${index}].${wrong}`);
  }
  if (!Array.isArray(answers)) throw new CarryError("answers");
  const wrong = answers.findIndex((one) => !isAnswer(one));
  if (wrong >= 0) throw new CarryError(`answers[${wrong}]`);
  return { tables: tables as SavedTable[], answers: answers as KeptPuzzle[] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
